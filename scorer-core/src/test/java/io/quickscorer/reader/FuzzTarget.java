package io.quickscorer.reader;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * What Jazzer calls with its inputs. The format is the one argument; {@link ModelFormat#AUTO} goes
 * through detection and, where the first byte is odd, through gzip.
 */
public final class FuzzTarget {
  private static ModelFormat format = ModelFormat.AUTO;

  private FuzzTarget() {}

  public static void fuzzerInitialize(String[] arguments) {
    format = ModelFormat.of(arguments[0]);
  }

  public static void fuzzerTestOneInput(byte[] input) {
    ReaderOracle.offer(file(input, format), format);
  }

  /** The file that an input stands for: itself, but for the byte that chooses a packing. */
  static byte[] file(byte[] input, ModelFormat format) {
    if (format != ModelFormat.AUTO || input.length == 0) {
      return input;
    }
    byte[] rest = Arrays.copyOfRange(input, 1, input.length);
    return (input[0] & 1) == 0 ? rest : gzip(rest);
  }

  /** The inputs that stand for a file. */
  static List<byte[]> inputs(byte[] file, ModelFormat format) {
    return format == ModelFormat.AUTO
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
