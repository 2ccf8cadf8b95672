// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import io.quickscorer.ensemble.InvalidModelException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;

/**
 * The bytes of a model file, unpacked if the file was gzipped. No method reads past the end, and
 * the size of the unpacked bytes is limited.
 *
 * <p>Offsets in messages count unpacked bytes from 0. Not safe for use by several threads.
 */
public final class BoundedInput {
  /** Number of unpacked bytes that are allowed for every gzipped file, however small it is. */
  public static final int FREE_BYTES = 1 << 20;

  /** Number of unpacked bytes that each byte of the file adds to the limit {@link #FREE_BYTES}. */
  private static final int MAX_RATIO = 100;

  private static final int MAX_BYTES = 1 << 30;

  private final byte[] bytes;

  private BoundedInput(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the content of a file, unpacked if it is gzipped.
   *
   * @throws InvalidModelException if the file is a gzip stream that is damaged, or unpacks to more
   *     than {@value #MAX_RATIO} times its size plus 1 MiB, or to more than 1 GiB
   */
  public static BoundedInput of(byte[] file) {
    boolean gzipped = file.length >= 2 && file[0] == 0x1f && file[1] == (byte) 0x8b;
    return new BoundedInput(gzipped ? unpack(file) : file);
  }

  /** Returns an input with bytes that are not unpacked, such as a part of another input. */
  public static BoundedInput ofPlain(byte[] bytes) {
    return new BoundedInput(bytes);
  }

  private static byte[] unpack(byte[] file) {
    int max = (int) Math.min(MAX_BYTES, FREE_BYTES + (long) MAX_RATIO * file.length);
    ByteArrayInputStream packed = new ByteArrayInputStream(file);
    try (InputStream in = new GZIPInputStream(packed)) {
      byte[] unpacked = in.readNBytes(max + 1);
      if (unpacked.length > max) {
        throw InvalidModelException.at(
            file.length - packed.available(),
            "the gzip stream of " + file.length + " bytes unpacks to more than " + max + " bytes");
      }
      return unpacked;
    } catch (IOException e) {
      throw InvalidModelException.at(
          file.length - packed.available(), "the gzip stream is damaged or truncated");
    }
  }

  public int length() {
    return bytes.length;
  }

  /** Returns the byte at an offset as a number from 0 to 255, or -1 past the end. */
  public int at(int offset) {
    // One comparison instead of two, which the JIT could fuse wrongly; see docs/jit-defects.md.
    return Integer.compareUnsigned(offset, bytes.length) < 0 ? bytes[offset] & 0xff : -1;
  }

  /** Returns whether the bytes at an offset are the given ASCII characters. */
  public boolean startsWith(int offset, String ascii) {
    if (Integer.compareUnsigned(offset, bytes.length) > 0) {
      return false;
    }
    for (int i = 0; i < ascii.length(); i++) {
      if (at(offset + i) != ascii.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the offset of the first byte after UTF-8's byte order mark; 0 without a mark. */
  public int afterMark() {
    return at(0) == 0xef && at(1) == 0xbb && at(2) == 0xbf ? 3 : 0;
  }

  /** Returns the first offset of a character in bytes [from, end); {@code end} if there is none. */
  public int indexOf(char ascii, int from, int end) {
    int offset = from;
    while (offset < end && bytes[offset] != ascii) {
      offset++;
    }
    return offset;
  }

  /**
   * Returns the first offset in [from, end) at which the given ASCII characters begin; {@code end}
   * if there is none.
   */
  public int indexOf(String ascii, int from, int end) {
    int at = indexOf(ascii.charAt(0), from, end);
    while (at < end && !startsWith(at, ascii)) {
      at = indexOf(ascii.charAt(0), at + 1, end);
    }
    return at;
  }

  /** Returns the first offset from {@code offset} on at which there is no JSON white space. */
  public int skipWhiteSpace(int offset) {
    int next = offset;
    while (isWhiteSpace(next)) {
      next++;
    }
    return next;
  }

  /** Returns whether the byte at an offset is JSON white space. */
  public boolean isWhiteSpace(int offset) {
    int c = at(offset);
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
  }

  /**
   * Returns the UTF-8 text in bytes [start, end).
   *
   * @throws InvalidModelException if the bytes are not valid UTF-8, because different names could
   *     then become equal
   */
  public String text(int start, int end) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, start, end - start))
          .toString();
    } catch (CharacterCodingException e) {
      throw InvalidModelException.at(start, "the text is not valid UTF-8");
    }
  }

  /** Returns the array that contains all bytes, not a copy. Callers must not change it. */
  public byte[] bytes() {
    return bytes;
  }
}
