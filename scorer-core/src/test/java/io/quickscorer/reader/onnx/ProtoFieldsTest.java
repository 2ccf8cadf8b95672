// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** The wire format of protocol buffers, and the tensors of ONNX in it. */
final class ProtoFieldsTest {
  private static ProtoFields fields(int... bytes) {
    byte[] message = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      message[i] = (byte) bytes[i];
    }
    return new ProtoFields(BoundedInput.ofPlain(message), 0, message.length);
  }

  private static ProtoFields first(int... bytes) {
    ProtoFields fields = fields(bytes);
    assertTrue(fields.next());
    return fields;
  }

  private static void refused(String message, Executable reading) {
    assertEquals(message, assertThrows(InvalidModelException.class, reading).getMessage());
  }

  @Test
  void numbers() {
    ProtoFields fields = fields(0x08, 0x7f, 0x10, 0x80, 0x01, 0x82, 0x01, 1, 7);
    assertTrue(fields.next());
    assertEquals(1, fields.field());
    assertEquals(ProtoFields.VARINT, fields.wireType());
    assertEquals(127, fields.number());
    assertEquals(1, fields.start());
    assertEquals(2, fields.stop());
    assertTrue(fields.next());
    assertEquals(2, fields.field());
    assertEquals(128, fields.number());
    assertTrue(fields.next());
    assertEquals(16, fields.field());
    assertEquals(ProtoFields.BYTES, fields.wireType());
    assertEquals("\u0007", fields.text());
    assertFalse(fields.next());
    int[] minusOne = {8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1};
    assertEquals(-1, first(minusOne).number());
    minusOne[10] = 0x81;
    refused(
        "byte 11: a variable-length number (varint) has no last byte",
        () -> fields(minusOne).next());
    refused(
        "byte 2: a variable-length number (varint) has no last byte", () -> fields(8, 0x80).next());
    refused("byte 1: a variable-length number (varint) has no last byte", () -> fields(8).next());
  }

  /** No length near a power of two moves the position back or behind the end. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void lengthsNearPowersOfTwo() {
    for (int power = 5; power <= 63; power++) {
      for (int offset = -20; offset < 20; offset++) {
        long length = (1L << power) + offset;
        if (length < 0 || length > 20) {
          int[] message = {8, 8, 0x12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
          for (int i = 0; i < 10; i++) {
            message[3 + i] = (int) (length >>> 7 * i & 0x7f) | (i < 9 ? 0x80 : 0);
          }
          ProtoFields fields = first(message);
          assertThrows(InvalidModelException.class, fields::next, () -> Arrays.toString(message));
        }
      }
    }
  }

  @Test
  void tags() {
    refused("byte 0: field number 0 is out of range", () -> fields(0, 1).next());
    for (int type : new int[] {3, 4, 6, 7}) {
      refused("byte 0: wire type " + type + " is not supported", () -> fields(8 | type, 0).next());
    }
    refused(
        "byte 0: field number 536870912 is out of range",
        () -> fields(0x80, 0x80, 0x80, 0x80, 0x10, 0).next());
    assertEquals(
        536_870_911, first(0xf8, 0xff, 0xff, 0xff, 0x0f, 0).field(), "the largest there is");
    ProtoFields second = first(8, 1, 0, 1);
    refused("byte 2: field number 0 is out of range", second::next);
  }

  @Test
  void lengths() {
    assertEquals(5, first(0x0d, 1, 2, 3, 4).stop());
    refused(
        "byte 1: found a length of 4 bytes, but only 3 bytes are left",
        () -> fields(0x0d, 1, 2, 3).next());
    assertEquals(9, first(0x09, 1, 2, 3, 4, 5, 6, 7, 8).stop());
    refused(
        "byte 1: found a length of 8 bytes, but only 7 bytes are left",
        () -> fields(0x09, 1, 2, 3, 4, 5, 6, 7).next());
    refused(
        "byte 2: found a length of 2 bytes, but only 1 bytes are left",
        () -> fields(0x0a, 2, 65).next());
    refused(
        "byte 11: found a length of -1 bytes, but only 1 bytes are left",
        () -> fields(0x0a, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 65).next());
    assertEquals("", first(0x0a, 0).text());
    assertEquals("AB", first(0x0a, 2, 65, 66).text());
  }

  @Test
  void wrongTypes() {
    refused("byte 1: field 1: wire type 0, expected 2", () -> first(8, 1).text());
    refused("byte 1: field 1: wire type 0, expected 2", () -> first(8, 1).message());
    refused("byte 2: field 1: wire type 2, expected 0", () -> first(0x0a, 1, 65).number());
    refused("byte 1: field 1: wire type 5, expected 0", () -> elements(0, 0x0d, 1, 2, 3, 4));
    ProtoFields inner = first(0x0a, 2, 8, 5).message();
    assertTrue(inner.next());
    assertEquals(5, inner.number());
    assertFalse(inner.next());
  }

  private static List<Long> elements(int type, int... bytes) {
    List<Long> elements = new ArrayList<>();
    first(bytes).numbers(type, elements::add);
    return elements;
  }

  @Test
  void repeatedNumbers() {
    assertEquals(List.of(128L), elements(ProtoFields.VARINT, 8, 0x80, 1));
    assertEquals(List.of(1L, 128L, 2L), elements(ProtoFields.VARINT, 0x0a, 4, 1, 0x80, 1, 2));
    assertEquals(List.of(), elements(ProtoFields.VARINT, 0x0a, 0));
    assertEquals(List.of(0x04030201L), elements(ProtoFields.FIXED32, 0x0d, 1, 2, 3, 4));
    assertEquals(
        List.of(1L, 0xfe000000L), elements(ProtoFields.FIXED32, 0x0a, 8, 1, 0, 0, 0, 0, 0, 0, 254));
    assertEquals(
        List.of(0x0807060504030201L), elements(ProtoFields.FIXED64, 9, 1, 2, 3, 4, 5, 6, 7, 8));
    assertEquals(
        List.of(-2L),
        elements(ProtoFields.FIXED64, 0x0a, 8, 254, 255, 255, 255, 255, 255, 255, 255));
    refused(
        "byte 2: packed numbers: found 5 bytes, expected a multiple of 4",
        () -> elements(ProtoFields.FIXED32, 0x0a, 5, 1, 2, 3, 4, 5));
    refused(
        "byte 2: packed numbers: found 4 bytes, expected a multiple of 8",
        () -> elements(ProtoFields.FIXED64, 0x0a, 4, 1, 2, 3, 4));
  }

  private static OnnxTensor tensor(OnnxMessage message) {
    byte[] bytes = message.toBytes();
    return OnnxTensor.read(BoundedInput.ofPlain(bytes), 0, bytes.length);
  }

  private static List<Double> values(OnnxMessage message) {
    return java.util.Arrays.stream(tensor(message).values()).boxed().toList();
  }

  private static OnnxMessage raw(int type, int... bytes) {
    byte[] data = new byte[bytes.length];
    for (int i = 0; i < data.length; i++) {
      data[i] = (byte) bytes[i];
    }
    return new OnnxMessage().number(2, type).bytes(9, data);
  }

  @Test
  void tensors() {
    assertEquals(OnnxTensor.FLOAT, tensor(raw(1)).type());
    assertEquals(List.of(1.0, -2.0), values(raw(1, 0, 0, 128, 63, 0, 0, 0, 192)));
    assertEquals(List.of(1.0), values(raw(11, 0, 0, 0, 0, 0, 0, 240, 63)));
    assertEquals(List.of(-1.0, 256.0), values(raw(6, 255, 255, 255, 255, 0, 1, 0, 0)));
    assertEquals(List.of(-2.0), values(raw(7, 254, 255, 255, 255, 255, 255, 255, 255)));
    assertEquals(List.of(200.0, 7.0), values(raw(2, 200, 7)));
    assertEquals(
        List.of(0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5),
        values(new OnnxMessage().number(2, 1).floats(4, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5)));
    assertEquals(
        List.of(1.5),
        values(new OnnxMessage().number(2, 11).fixed64(10, Double.doubleToLongBits(1.5))));
    for (int field : new int[] {5, 7, 11}) {
      assertEquals(List.of(300.0), values(new OnnxMessage().number(2, 7).number(field, 300)));
    }
    assertEquals(List.of(), values(new OnnxMessage().number(2, 1).number(14, 0)));
  }

  @Test
  void brokenTensors() {
    refused(
        "byte 4: tensor: found 5 bytes of data, expected a multiple of 4",
        () -> tensor(raw(1, 1, 2, 3, 4, 5)));
    refused(
        "byte 4: tensor: found 4 bytes of data, expected a multiple of 8",
        () -> tensor(raw(7, 1, 2, 3, 4)));
    refused("byte 4: tensor: element type 10 is not supported", () -> tensor(raw(10, 1, 2)));
    refused(
        "byte 0: tensor: the data is in another file; save the model as one file",
        () -> tensor(new OnnxMessage().number(14, 1)));
    refused(
        "byte 0: tensor: the data is in another file; save the model as one file",
        () -> tensor(new OnnxMessage().number(2, 1).text(13, "location")));
  }
}
