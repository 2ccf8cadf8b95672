// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.memory.MemoryCharge;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongConsumer;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses data with gzip, and decompresses gzip data. To limit memory, callers that decompress
 * data pass its size, or a check that throws an exception if it becomes too large.
 */
public final class Gzip {
  private static final int BUFFER = 1 << 16;

  private Gzip() {}

  public static boolean isGzip(byte[] bytes) {
    return bytes.length > 2 && bytes[0] == 0x1f && bytes[1] == (byte) 0x8b;
  }

  /**
   * Compresses data with gzip. Data that is already in gzip format is wrapped in gzip once more,
   * but not compressed again.
   */
  public static byte[] compress(byte[] bytes) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream(BUFFER);
    int level = isGzip(bytes) ? Deflater.NO_COMPRESSION : Deflater.DEFAULT_COMPRESSION;
    try (GZIPOutputStream out =
        new GZIPOutputStream(compressed, BUFFER) {
          {
            def.setLevel(level);
          }
        }) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return compressed.toByteArray();
  }

  /**
   * Decompresses gzip data whose decompressed length must be {@code bytes}.
   *
   * @throws IllegalArgumentException if the length is different, or the data is truncated or not
   *     gzip
   */
  public static byte[] decompress(byte[] compressed, long bytes) {
    byte[] plain = new byte[Math.toIntExact(bytes)];
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed), BUFFER)) {
      if (in.readNBytes(plain, 0, plain.length) < bytes || in.read() >= 0) {
        throw new IllegalArgumentException(
            "gzip: the data does not have the expected " + bytes + " uncompressed bytes");
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("gzip: the data is damaged", e);
    }
    return plain;
  }

  /**
   * Decompresses gzip data of unknown length.
   *
   * @param memory the charge at the circuit breaker, which grows with the decompressed data
   * @param check receives the decompressed length, each time it grows; throws an exception if it is
   *     too large
   * @throws IllegalArgumentException if the data is truncated or not gzip
   */
  public static byte[] decompress(byte[] compressed, MemoryCharge memory, LongConsumer check) {
    long before = memory.bytes();
    ByteArrayOutputStream plain = new ByteArrayOutputStream(BUFFER);
    byte[] buffer = new byte[BUFFER];
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed), BUFFER)) {
      int read = in.read(buffer);
      while (read >= 0) {
        long bytes = (long) plain.size() + read;
        check.accept(bytes);
        // Three times the size, because the buffer grows by doubling, and is copied at the end.
        memory.resize(before + 3 * bytes);
        plain.write(buffer, 0, read);
        read = in.read(buffer);
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "gzip: the data is damaged after " + plain.size() + " bytes", e);
    }
    return plain.toByteArray();
  }
}
