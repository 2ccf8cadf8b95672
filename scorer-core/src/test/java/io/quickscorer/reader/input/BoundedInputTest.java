// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.InvalidModelException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

final class BoundedInputTest {
  private static BoundedInput of(String text) {
    return BoundedInput.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(content);
    }
    return out.toByteArray();
  }

  private static void refused(String message, byte[] file) {
    assertEquals(
        message,
        assertThrows(InvalidModelException.class, () -> BoundedInput.of(file)).getMessage());
  }

  @Test
  void bytes() {
    byte[] file = {'a', (byte) 0xff, 0};
    BoundedInput input = BoundedInput.of(file);
    assertSame(file, input.bytes());
    assertEquals(3, input.length());
    assertEquals('a', input.at(0));
    assertEquals(255, input.at(1));
    assertEquals(0, input.at(2));
    assertEquals(-1, input.at(3));
    assertEquals(-1, input.at(-1));
  }

  @Test
  void prefixes() {
    BoundedInput input = of("tree");
    assertTrue(input.startsWith(0, "tree"));
    assertTrue(input.startsWith(2, "ee"));
    assertTrue(input.startsWith(4, ""));
    assertFalse(input.startsWith(2, "eee"));
    assertFalse(input.startsWith(1, "tree"));
    assertFalse(input.startsWith(-1, "t"));
    assertFalse(input.startsWith(9, ""));
  }

  @Test
  void searches() {
    BoundedInput input = of("a=b=");
    assertEquals(1, input.indexOf('=', 0, 4));
    assertEquals(1, input.indexOf('=', 1, 4));
    assertEquals(3, input.indexOf('=', 2, 4));
    assertEquals(3, input.indexOf('=', 2, 3), "the end is not looked at");
    assertEquals(4, input.indexOf('x', 0, 4));
    assertEquals(6, of(" \n\r\t  x ").skipWhiteSpace(0));
    assertEquals(2, of("  ").skipWhiteSpace(0));
    assertFalse(of("\u00a0").isWhiteSpace(0));
  }

  @Test
  void text() {
    assertEquals("\u00fc", of("x\u00fcy").text(1, 3));
    InvalidModelException e =
        assertThrows(InvalidModelException.class, () -> of("x\u00fcy").text(1, 2));
    assertEquals("byte 1: the text is not valid UTF-8", e.getMessage());
  }

  @Test
  void gzippedFiles() throws IOException {
    byte[] content = new byte[3 * 65_536 + 7];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (i >> 8);
    }
    assertArrayEquals(content, BoundedInput.of(gzip(content)).bytes());
    assertEquals(0, BoundedInput.of(gzip(new byte[0])).length());
    assertSame(content, BoundedInput.ofPlain(content).bytes());
  }

  @Test
  void otherBytesAreNotUnpacked() throws IOException {
    byte[] magic = {0x1f, (byte) 0x8b};
    refused("byte 2: the gzip stream is damaged or truncated", magic);
    assertEquals(1, BoundedInput.of(Arrays.copyOf(magic, 1)).length());
    assertEquals(2, BoundedInput.of(new byte[] {0x1f, 0}).length());
    assertEquals(2, BoundedInput.of(new byte[] {0, (byte) 0x8b}).length());
    byte[] packed = gzip(new byte[1000]);
    assertEquals(packed.length, BoundedInput.ofPlain(packed).length(), "taken as they are");
    byte[] cut = Arrays.copyOf(packed, packed.length - 1);
    refused("byte " + cut.length + ": the gzip stream is damaged or truncated", cut);
  }

  /** The stream of a given length: what it lacks stands in its header, as an extra field. */
  private static byte[] gzip(byte[] content, int length) throws IOException {
    byte[] packed = gzip(content);
    ByteBuffer padded = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    padded.put(packed, 0, 10).put(3, (byte) 4);
    padded.putShort((short) (length - packed.length - 2));
    return padded.put(length - packed.length + 10, packed, 10, packed.length - 10).array();
  }

  /** A hundred bytes for each, and a mebibyte for nothing. */
  @Test
  void unpackedBytesAreBounded() throws IOException {
    int most = BoundedInput.FREE_BYTES + 100 * 5_000;
    assertEquals(most, BoundedInput.of(gzip(new byte[most], 5_000)).length());
    refused(
        "byte 5000: the gzip stream of 5000 bytes unpacks to more than " + most + " bytes",
        gzip(new byte[most + 1], 5_000));
  }
}
