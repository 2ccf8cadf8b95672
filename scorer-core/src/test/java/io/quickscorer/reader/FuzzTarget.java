// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.ModelFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * What Jazzer calls with its inputs. The format is the one argument; {@link ModelFormat#AUTO} goes
 * through detection and, where the first byte is odd, through gzip. What a checksum would keep from
 * the reader is given the right one.
 */
public final class FuzzTarget {
  /**
   * Heap bytes per byte of a file, those of Jazzer's hooks included: they encode both strings of
   * every comparison, which comes to 350 bytes for each byte of a JSON file that is all names.
   */
  private static final long BYTES_PER_BYTE = 8 * ReaderOracle.BYTES_PER_BYTE;

  private static ModelFormat format = ModelFormat.AUTO;

  private FuzzTarget() {}

  public static void fuzzerInitialize(String[] arguments) {
    format = ModelFormats.of(arguments[0]);
  }

  public static void fuzzerTestOneInput(byte[] input) {
    ReaderOracle.offer(file(input, format), format, ModelReader::read, BYTES_PER_BYTE);
  }

  /** The file that an input stands for. */
  static byte[] file(byte[] input, ModelFormat format) {
    if (format.equals(ModelFormat.AUTO)) {
      return input.length == 0 ? input : packed(input);
    }
    return input;
  }

  private static byte[] packed(byte[] input) {
    byte[] rest = Arrays.copyOfRange(input, 1, input.length);
    return (input[0] & 1) == 0 ? rest : gzip(rest);
  }

  /** The inputs that stand for a file. */
  static List<byte[]> inputs(byte[] file, ModelFormat format) {
    return format.equals(ModelFormat.AUTO)
        ? List.of(prefixed(0, file), prefixed(1, file))
        : List.of(file);
  }

  private static byte[] prefixed(int first, byte[] file) {
    byte[] input = new byte[file.length + 1];
    input[0] = (byte) first;
    System.arraycopy(file, 0, input, 1, file.length);
    return input;
  }

  private static byte[] gzip(byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(content);
    } catch (IOException e) {
      throw new IllegalStateException("a stream in memory failed", e);
    }
    return out.toByteArray();
  }
}
