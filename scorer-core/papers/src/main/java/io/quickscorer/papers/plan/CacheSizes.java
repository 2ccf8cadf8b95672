// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The sizes of the data caches of one core, in bytes and in ascending order.
 *
 * @param l1 first level
 * @param l2 second level
 * @param l3 third level; equal to {@code l2} if there is no third level
 */
public record CacheSizes(long l1, long l2, long l3) {
  /** The sizes of a typical server core, used if the machine does not report its cache sizes. */
  public static final CacheSizes TYPICAL = new CacheSizes(32 << 10, 1 << 20, 16 << 20);

  private static final Path LINUX = Path.of("/sys/devices/system/cpu/cpu0/cache");
  private static final int MAX_CACHES = 8;

  public CacheSizes {
    if (l1 <= 0 || l2 < l1 || l3 < l2) {
      throw new IllegalArgumentException(
          "cache sizes "
              + l1
              + ", "
              + l2
              + ", "
              + l3
              + ", expected sizes above 0 in ascending order");
    }
  }

  /** Returns this machine's cache sizes as Linux reports them, or {@link #TYPICAL} if unknown. */
  public static CacheSizes ofThisMachine() {
    return read(LINUX);
  }

  public static CacheSizes read(Path directory) {
    long[] sizes = new long[4];
    try {
      for (int i = 0; i < MAX_CACHES; i++) {
        Path cache = directory.resolve("index" + i);
        if (cache.toFile().isDirectory() && !line(cache, "type").equals("Instruction")) {
          int level = Integer.parseInt(line(cache, "level"));
          if (level >= 1 && level <= 3) {
            sizes[level] = bytes(line(cache, "size"));
          }
        }
      }
      long l2 = Math.max(sizes[1], sizes[2]);
      return new CacheSizes(sizes[1], l2, Math.max(l2, sizes[3]));
    } catch (IOException | SecurityException | IllegalArgumentException e) {
      return TYPICAL;
    }
  }

  /** Reads a one-line file as a stream, because OpenSearch's Java agent forbids file channels. */
  private static String line(Path cache, String name) throws IOException {
    try (InputStream in = new FileInputStream(cache.resolve(name).toFile())) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip();
    }
  }

  /** Parses a size such as {@code 48K}, {@code 2M} or {@code 32768}. Returns it in bytes. */
  private static long bytes(String size) {
    String upper = size.toUpperCase(Locale.ROOT);
    int shift = upper.endsWith("K") ? 10 : upper.endsWith("M") ? 20 : 0;
    String digits = shift == 0 ? upper : upper.substring(0, upper.length() - 1);
    return Math.multiplyExact(Long.parseLong(digits), 1L << shift);
  }

  /** Returns the size of cache level 1, 2 or 3 in bytes. Level 4 is memory, which has no limit. */
  long ofLevel(int level) {
    return switch (level) {
      case 1 -> l1;
      case 2 -> l2;
      case 3 -> l3;
      default -> Long.MAX_VALUE;
    };
  }

  /** Returns the first cache level with room for this number of bytes; 4 (memory) if none has. */
  int levelOf(double bytes) {
    return bytes <= l1 ? 1 : bytes <= l2 ? 2 : bytes <= l3 ? 3 : 4;
  }
}
