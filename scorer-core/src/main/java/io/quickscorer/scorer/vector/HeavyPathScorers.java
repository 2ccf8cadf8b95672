package io.quickscorer.scorer.vector;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.scorer.heavypath.HeavyPathScorer;
import io.quickscorer.scorer.heavypath.PathKernel;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Makes heavy-path scorers on vectors. At 512 bits they need AVX-512 VBMI (Intel since Ice Lake,
 * AMD since Zen 4). Narrower vectors permute bytes in several steps, and gain little on
 * QuickScorer.
 */
public final class HeavyPathScorers {
  /** Kernels by vector width, one copy each for all ensembles, so that they share compiled code. */
  private static final Map<Integer, PathKernel> KERNELS =
      VectorSupport.widths().stream()
          .collect(
              Collectors.toMap(
                  bits -> bits,
                  bits -> Specialized.forWidth(PathLanes.class, PathKernel.class, bits)));

  private HeavyPathScorers() {}

  /** Why a width cannot be used here; empty if it can. */
  public static String unavailable(int bits) {
    return VectorSupport.bytePermutesUnavailable(bits);
  }

  /**
   * @param bits width of the vectors: 128, 256 or 512
   * @throws UnsupportedEnsembleException if a tree has too many leaves, or this JVM and CPU have no
   *     permutes of that width
   */
  public static HeavyPathScorer compile(TreeEnsemble ensemble, int bits) {
    Algorithm algorithm =
        switch (bits) {
          case 128 -> Algorithm.HEAVY_PATH_128;
          case 256 -> Algorithm.HEAVY_PATH_256;
          case 512 -> Algorithm.HEAVY_PATH_512;
          default -> throw new IllegalArgumentException(bits + " bits, expected 128, 256 or 512");
        };
    String why = unavailable(bits);
    if (!why.isEmpty()) {
      throw new UnsupportedEnsembleException(algorithm + ": " + why);
    }
    return HeavyPathScorer.compile(ensemble, algorithm, Objects.requireNonNull(KERNELS.get(bits)));
  }
}
