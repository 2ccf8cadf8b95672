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

/**
 * The vectors of this JVM, probed once: a missing module is a normal case, and so is a JVM whose
 * module does not fit.
 */
public final class VectorSupport {
  private static final String MODULE = "jdk.incubator.vector";
  private static final List<Integer> WIDTHS = probe();
  private static final boolean CPU_PERMUTES_BYTES = cpuPermutesBytes();

  private VectorSupport() {}

  /**
   * Returns the usable vector widths in bits, ascending, of 128, 256 and 512; empty without the
   * module.
   */
  public static List<Integer> widths() {
    return WIDTHS;
  }

  /** Returns why a width cannot be used here; empty if it can. */
  public static String unavailable(int bits) {
    if (WIDTHS.contains(bits)) {
      return "";
    }
    return WIDTHS.isEmpty()
        ? "module " + MODULE + " is not in this JVM"
        : "this CPU's vectors have " + WIDTHS.getLast() + " bits";
  }

  /**
   * Returns the form of an engine for a width.
   *
   * @param widths the engine's forms
   * @throws IllegalArgumentException if there is no such form
   * @throws UnsupportedEnsembleException if this JVM has no vectors of that width
   */
  public static Algorithm algorithm(List<Algorithm> widths, int bits) {
    Algorithm algorithm =
        widths.stream()
            .filter(form -> form.width() == bits)
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException(bits + " bits, expected one of " + widths));
    String why = unavailable(bits);
    if (!why.isEmpty()) {
      throw new UnsupportedEnsembleException(algorithm + ": " + why);
    }
    return algorithm;
  }

  /**
   * Returns why bytes cannot be permuted across vectors of a width; empty if they can, by one
   * instruction or several. At 512 bits, only a single instruction is accepted.
   */
  public static String bytePermutesUnavailable(int bits) {
    String why = unavailable(bits);
    return why.isEmpty() && bits == 512 && !CPU_PERMUTES_BYTES
        ? "this CPU is not known to have AVX-512 VBMI, which permutes bytes"
        : why;
  }

  /**
   * Reads Linux's description of the CPU, because the JVM does not expose it. By a stream, because
   * a server's agent keeps plugins from opening channels on files that are not theirs.
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
