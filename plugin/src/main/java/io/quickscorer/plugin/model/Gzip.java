package io.quickscorer.plugin.model;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;

/** Bounded gzip. */
final class Gzip {
  private static final int BUFFER = 1 << 16;

  private Gzip() {}

  static boolean isGzip(byte[] bytes) {
    return bytes.length > 2 && bytes[0] == 0x1f && bytes[1] == (byte) 0x8b;
  }

  /** Told of every further piece before it is kept; refuses by throwing. */
  @FunctionalInterface
  interface Growth {
    void to(long bytes);
  }

  /**
   * @throws IllegalArgumentException if it is cut short or no gzip
   */
  static byte[] decompress(byte[] compressed, Growth growth) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream(BUFFER);
    byte[] buffer = new byte[BUFFER];
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed), BUFFER)) {
      int read = in.read(buffer);
      while (read >= 0) {
        growth.to((long) plain.size() + read);
        plain.write(buffer, 0, read);
        read = in.read(buffer);
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("gzip: damaged after " + plain.size() + " bytes", e);
    }
    return plain.toByteArray();
  }

  /**
   * As {@link #decompress(byte[], Growth)}, when the size is known.
   *
   * @throws IllegalArgumentException if it holds fewer bytes
   */
  static byte[] decompress(byte[] compressed, int size) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed), BUFFER)) {
      byte[] plain = in.readNBytes(size);
      if (plain.length < size) {
        throw new IllegalArgumentException("gzip: " + plain.length + " bytes, expected " + size);
      }
      return plain;
    } catch (IOException e) {
      throw new IllegalArgumentException("gzip: damaged, expected " + size + " bytes", e);
    }
  }

  static BytesReference compress(byte[] plain) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream(plain.length / 3 + BUFFER);
    try (GZIPOutputStream out = new GZIPOutputStream(compressed, BUFFER)) {
      out.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new BytesArray(compressed.toByteArray());
  }
}
