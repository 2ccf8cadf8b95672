package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;

/**
 * The bytes of a model file, unpacked if they were gzipped: no read past the end, no output beyond
 * a bound.
 *
 * <p>Offsets in messages count unpacked bytes from 0. Not safe for use by several threads.
 */
final class BoundedInput {
  /** Unpacked bytes that any gzipped file may have, and those it may have beyond per packed one. */
  static final int FREE_BYTES = 1 << 20;

  private static final int MAX_RATIO = 100;
  private static final int MAX_BYTES = 1 << 30;
  private static final int BUFFER = 1 << 16;

  private final byte[] bytes;

  private BoundedInput(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * The file's content.
   *
   * @throws InvalidModelException if it is a gzip stream that is damaged or unpacks to more than
   *     {@value #MAX_RATIO} times its size plus 1 MiB, or to more than 1 GiB
   */
  static BoundedInput of(byte[] file) {
    boolean gzipped = file.length >= 2 && file[0] == 0x1f && file[1] == (byte) 0x8b;
    return new BoundedInput(gzipped ? unpack(file) : file);
  }

  private static byte[] unpack(byte[] file) {
    long most = Math.min(MAX_BYTES, FREE_BYTES + (long) MAX_RATIO * file.length);
    ByteArrayInputStream packed = new ByteArrayInputStream(file);
    ByteArrayOutputStream unpacked = new ByteArrayOutputStream((int) Math.min(most, BUFFER));
    byte[] buffer = new byte[(int) Math.min(most, BUFFER)];
    try (InputStream in = new GZIPInputStream(packed)) {
      int read;
      while ((read = in.read(buffer)) >= 0) {
        if (unpacked.size() + (long) read > most) {
          throw InvalidModelException.at(
              file.length - packed.available(),
              "gzip stream unpacks to more than " + most + " bytes from " + file.length);
        }
        unpacked.write(buffer, 0, read);
      }
    } catch (IOException e) {
      throw InvalidModelException.at(
          file.length - packed.available(), "damaged or truncated gzip stream");
    }
    return unpacked.toByteArray();
  }

  int length() {
    return bytes.length;
  }

  /** The byte at an offset as 0..255, or -1 past the end. */
  int at(int offset) {
    return offset >= 0 && offset < bytes.length ? bytes[offset] & 0xff : -1;
  }

  /** Whether these ASCII characters stand at an offset. */
  boolean startsWith(int offset, String ascii) {
    if (offset < 0 || ascii.length() > bytes.length - offset) {
      return false;
    }
    for (int i = 0; i < ascii.length(); i++) {
      if (bytes[offset + i] != ascii.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Offset of the first such byte in [from, end), or end. */
  int indexOf(char ascii, int from, int end) {
    int offset = from;
    while (offset < end && bytes[offset] != ascii) {
      offset++;
    }
    return offset;
  }

  /** Offset of the first byte at or after this one that is not JSON white space. */
  int skipWhiteSpace(int offset) {
    int next = offset;
    while (at(next) == ' ' || at(next) == '\n' || at(next) == '\r' || at(next) == '\t') {
      next++;
    }
    return next;
  }

  /**
   * The UTF-8 text in bytes [start, end).
   *
   * @throws InvalidModelException if it is not valid UTF-8, which would make different names equal
   */
  String text(int start, int end) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, start, end - start))
          .toString();
    } catch (CharacterCodingException e) {
      throw InvalidModelException.at(start, "text is not valid UTF-8");
    }
  }

  /** The bytes themselves, not a copy; read only. */
  byte[] bytes() {
    return bytes;
  }
}
