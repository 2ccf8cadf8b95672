// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A message in the wire format of protocol buffers. */
public final class OnnxMessage {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private void varint(long value) {
    long rest = value;
    while (rest >>> 7 != 0) {
      out.write((int) rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  public OnnxMessage number(int field, long value) {
    varint((long) field << 3);
    varint(value);
    return this;
  }

  public OnnxMessage text(int field, String text) {
    return bytes(field, text.getBytes(StandardCharsets.UTF_8));
  }

  public OnnxMessage bytes(int field, byte[] bytes) {
    varint((long) field << 3 | 2);
    varint(bytes.length);
    out.writeBytes(bytes);
    return this;
  }

  public OnnxMessage add(int field, OnnxMessage message) {
    return bytes(field, message.toBytes());
  }

  public OnnxMessage floats(int field, double... values) {
    for (double value : values) {
      varint(field << 3 | 5);
      int bits = Float.floatToIntBits((float) value);
      for (int i = 0; i < 4; i++) {
        out.write(bits >>> 8 * i);
      }
    }
    return this;
  }

  public OnnxMessage integers(String name, long... values) {
    OnnxMessage attribute = new OnnxMessage().text(1, name);
    Arrays.stream(values).forEach(v -> attribute.number(8, v));
    return add(5, attribute);
  }

  public OnnxMessage floats(String name, double... values) {
    return add(5, new OnnxMessage().text(1, name).floats(7, values));
  }

  public OnnxMessage texts(String name, String... values) {
    OnnxMessage attribute = new OnnxMessage().text(1, name);
    List.of(values).forEach(v -> attribute.text(9, v));
    return add(5, attribute);
  }

  public OnnxMessage text(String name, String value) {
    return add(5, new OnnxMessage().text(1, name).text(4, value));
  }

  public OnnxMessage real(String name, double value) {
    return add(5, new OnnxMessage().text(1, name).floats(2, value));
  }

  public OnnxMessage integer(String name, long value) {
    return add(5, new OnnxMessage().text(1, name).number(3, value));
  }

  public OnnxMessage fixed64(int field, long bits) {
    varint((long) field << 3 | 1);
    for (int i = 0; i < 8; i++) {
      out.write((int) (bits >>> 8 * i));
    }
    return this;
  }

  public byte[] toBytes() {
    return out.toByteArray();
  }
}
