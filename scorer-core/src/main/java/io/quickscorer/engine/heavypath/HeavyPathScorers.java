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
 * Creates heavy-path scorers for a vector width. With 512-bit vectors, they need AVX-512 VBMI
 * (Intel since Ice Lake, AMD since Zen 4).
 */
public final class HeavyPathScorers {
  /** The engine's algorithms, one for each vector width, ascending. */
  public static final List<Algorithm> WIDTHS =
      List.of(Algorithm.HEAVY_PATH_128, Algorithm.HEAVY_PATH_256, Algorithm.HEAVY_PATH_512);

  private static final SortedMap<Integer, PathKernel> KERNELS =
      Specialized.forWidths(MethodHandles.lookup(), SimdPathKernel.class, PathKernel.class);

  private HeavyPathScorers() {}

  /** Returns why a vector width cannot be used in this JVM; empty if it can. */
  public static String unavailable(int bits) {
    return VectorSupport.bytePermutesUnavailable(bits);
  }

  /**
   * Compiles an ensemble for one vector width.
   *
   * @param bits the width of the vectors: 128, 256 or 512
   * @throws UnsupportedEnsembleException if a tree has too many leaves, if the ranks of a document
   *     need too many bytes, or if this JVM or CPU cannot reorder bytes in vectors of that width
   */
  public static HeavyPathScorer compile(TreeEnsemble ensemble, int bits, CompileProgress progress) {
    Algorithm algorithm = VectorSupport.algorithm(WIDTHS, bits);
    String reason = unavailable(bits);
    if (!reason.isEmpty()) {
      throw new UnsupportedEnsembleException(algorithm + ": " + reason);
    }
    PathKernel kernel = Objects.requireNonNull(KERNELS.get(bits));
    return HeavyPathScorer.compile(ensemble, algorithm, kernel, progress);
  }
}
