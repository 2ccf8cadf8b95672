// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.engine.simd.Specialized;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

/**
 * Creates heavy-path scorers on vectors. At 512 bits they need AVX-512 VBMI (Intel since Ice Lake,
 * AMD since Zen 4). Narrower vectors permute bytes in several steps, which is still fast with few
 * tables of ranks.
 */
public final class HeavyPathScorers {
  /** Its forms, one per vector width. */
  public static final List<Algorithm> WIDTHS =
      List.of(Algorithm.HEAVY_PATH_128, Algorithm.HEAVY_PATH_256, Algorithm.HEAVY_PATH_512);

  private static final SortedMap<Integer, PathKernel> KERNELS =
      Specialized.forWidths(MethodHandles.lookup(), SimdPathKernel.class, PathKernel.class);

  private HeavyPathScorers() {}

  /** Returns why a width cannot be used here; empty if it can. */
  public static String unavailable(int bits) {
    return VectorSupport.bytePermutesUnavailable(bits);
  }

  /**
   * @param bits width of the vectors: 128, 256 or 512
   * @throws UnsupportedEnsembleException if a tree has too many leaves, or this JVM and CPU have no
   *     permutes of that width
   */
  public static HeavyPathScorer compile(TreeEnsemble ensemble, int bits) {
    return compile(ensemble, bits, CompileProgress.NONE);
  }

  /** Compiles an ensemble and reports progress. */
  public static HeavyPathScorer compile(TreeEnsemble ensemble, int bits, CompileProgress progress) {
    Algorithm algorithm = VectorSupport.algorithm(WIDTHS, bits);
    String why = unavailable(bits);
    if (!why.isEmpty()) {
      throw new UnsupportedEnsembleException(algorithm + ": " + why);
    }
    PathKernel kernel = Objects.requireNonNull(KERNELS.get(bits));
    return HeavyPathScorer.compile(ensemble, algorithm, kernel, progress);
  }
}
