// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.Scratch;
import java.util.Arrays;

/**
 * Follows trees with {@value #INTERLEAVED} documents together (vectorised predication). All
 * documents go to their next nodes before any document goes further, so that memory accesses
 * overlap. The next node is computed without a branch, as in {@link PredScorer}. Supports every
 * ensemble; the unit of work is a tree.
 *
 * <p>Source: Asadi, Lin, de Vries, "Runtime Optimizations for Tree-Based Machine Learning Models",
 * IEEE TKDE 26(9), 2014, section 3 (VPRED).
 */
public final class VPredScorer extends LoopedTreeScorer {
  public static final Algorithm ALGORITHM = new Algorithm("vpred", 0);

  private static final int INTERLEAVED = 16;

  public VPredScorer(TreeEnsemble ensemble, CompileProgress progress) {
    super(ensemble, ALGORITHM, INTERLEAVED, progress);
  }

  @Override
  public void add(
      int unit, FeatureMatrix matrix, int from, int to, Scratch scratch, double[] sums) {
    Accumulator accumulator = ensemble().accumulator();
    int[] keys = ((KeyScratch) scratch).keys();
    int[] nodes = ((KeyScratch) scratch).nodes();
    double[] values = trees().values();
    for (int first = from; first < to; first += INTERLEAVED) {
      // Lanes after the last document read the padding of the matrix. Their results are ignored.
      walk(unit, keys, matrix.stride(), first, nodes);
      int documents = Math.min(INTERLEAVED, to - first);
      for (int i = 0; i < documents; i++) {
        sums[first + i] = accumulator.add(sums[first + i], values[nodes[i]]);
      }
    }
  }

  private void walk(int tree, int[] keys, int stride, int first, int[] nodes) {
    LoopedTrees trees = trees();
    int[] columns = trees.columns();
    int[] bounds = trees.bounds();
    int[] left = trees.left();
    int depth = trees.depths()[tree];
    Arrays.fill(nodes, 0, INTERLEAVED, trees.roots()[tree]);
    for (int step = 0; step < depth; step++) {
      for (int i = 0; i < INTERLEAVED; i++) {
        int node = nodes[i];
        int key = keys[columns[node] * stride + first + i];
        nodes[i] = left[node] + (int) ((bounds[node] - (long) key) >>> 63);
      }
    }
  }
}
