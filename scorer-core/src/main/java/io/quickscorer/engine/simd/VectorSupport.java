// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.simd;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/** The usable vector widths of this JVM; none without the vector module in the right version. */
public final class VectorSupport {
  private static final String MODULE = "jdk.incubator.vector";
  private static final List<Integer> WIDTHS = probe();
  private static final boolean CPU_PERMUTES_BYTES = cpuPermutesBytes();

  private VectorSupport() {}

  /** Returns the usable widths in bits, ascending; empty without the vector module. */
  public static List<Integer> widths() {
    return WIDTHS;
  }

  /** Returns why a width cannot be used in this JVM; empty if it can. */
  public static String unavailable(int bits) {
    if (WIDTHS.contains(bits)) {
      return "";
    }
    return WIDTHS.isEmpty()
        ? "module " + MODULE + " is not available in this JVM"
        : "this CPU's vectors have " + WIDTHS.getLast() + " bits";
  }

  /**
   * Returns the algorithm for a vector width.
   *
   * @param widths the engine's algorithms, one for each vector width
   * @throws IllegalArgumentException if none of them is for this width
   * @throws UnsupportedEnsembleException if this JVM has no vectors of that width
   */
  public static Algorithm algorithm(List<Algorithm> widths, int bits) {
    Algorithm algorithm =
        widths.stream()
            .filter(form -> form.width() == bits)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "no engine for vectors of " + bits + " bits, expected one of " + widths));
    String reason = unavailable(bits);
    if (!reason.isEmpty()) {
      throw new UnsupportedEnsembleException(algorithm + ": " + reason);
    }
    return algorithm;
  }

  /** Returns why this CPU cannot quickly reorder the bytes of a vector; empty if it can. */
  public static String bytePermutesUnavailable(int bits) {
    String reason = unavailable(bits);
    return reason.isEmpty() && bits == 512 && !CPU_PERMUTES_BYTES
        ? "this CPU is not known to have AVX-512 VBMI, which permutes bytes"
        : reason;
  }

  /**
   * Returns whether Linux reports AVX-512 VBMI, which the JVM does not. Reads {@code /proc/cpuinfo}
   * without a {@code FileChannel}, which a server's Java agent may forbid.
   */
  private static boolean cpuPermutesBytes() {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(new FileInputStream("/proc/cpuinfo"), ISO_8859_1))) {
      return reader
          .lines()
          .filter(line -> line.startsWith("flags"))
          .findFirst()
          .filter(flags -> (flags + " ").contains(" avx512vbmi "))
          .isPresent();
    } catch (IOException | UncheckedIOException | SecurityException e) {
      return false;
    }
  }

  private static List<Integer> probe() {
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      return List.of();
    }
    try {
      int widest = SimdSpecies.widestBits();
      return Stream.of(128, 256, 512).filter(bits -> bits <= widest).toList();
    } catch (LinkageError e) {
      return List.of();
    }
  }
}
