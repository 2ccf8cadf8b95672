// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.engine.simd.Specialized;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

/**
 * Follows a tree from its root with one document per vector lane. Gather instructions read nodes
 * and keys. Supports every ensemble; each unit is one tree.
 *
 * <p>Source: Asadi, Lin, de Vries, "Runtime Optimizations for Tree-Based Machine Learning Models",
 * IEEE TKDE 26(9), 2014, section 3 (VPRED), with gathers in place of interleaved scalars.
 */
public final class GatherScorer extends LoopedTreeScorer {
  /** The engine's algorithms, one for each vector width, ascending. */
  public static final List<Algorithm> WIDTHS =
      List.of(
          new Algorithm("vpred-128", 128),
          new Algorithm("vpred-256", 256),
          new Algorithm("vpred-512", 512));

  private static final SortedMap<Integer, GatherKernel> KERNELS =
      Specialized.forWidths(MethodHandles.lookup(), SimdGatherKernel.class, GatherKernel.class);

  private final GatherKernel kernel;

  private GatherScorer(
      TreeEnsemble ensemble, Algorithm algorithm, GatherKernel kernel, CompileProgress progress) {
    super(ensemble, algorithm, kernel.lanes(), progress);
    this.kernel = kernel;
  }

  /**
   * Compiles an ensemble for one vector width.
   *
   * @param bits width of the vectors: 128, 256 or 512
   * @throws UnsupportedEnsembleException if this JVM has no vectors of that width
   */
  public static GatherScorer compile(TreeEnsemble ensemble, int bits, CompileProgress progress) {
    Algorithm algorithm = VectorSupport.algorithm(WIDTHS, bits);
    GatherKernel kernel = Objects.requireNonNull(KERNELS.get(bits));
    return new GatherScorer(ensemble, algorithm, kernel, progress);
  }

  @Override
  public void add(
      int unit, FeatureMatrix matrix, int from, int to, Scratch scratch, double[] sums) {
    Accumulator accumulator = ensemble().accumulator();
    LoopedTrees trees = trees();
    int[] keys = ((KeyScratch) scratch).keys();
    int[] nodes = ((KeyScratch) scratch).nodes();
    double[] values = trees.values();
    int lanes = kernel.lanes();
    for (int first = from; first < to; first += lanes) {
      // Lanes after the last document read the padding of the matrix. Their results are ignored.
      kernel.walk(trees, unit, keys, matrix.stride(), first, nodes);
      int documents = Math.min(lanes, to - first);
      for (int i = 0; i < documents; i++) {
        sums[first + i] = accumulator.add(sums[first + i], values[nodes[i]]);
      }
    }
  }
}
