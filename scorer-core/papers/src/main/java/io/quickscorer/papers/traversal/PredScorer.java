// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.Scratch;

/**
 * Follows trees without branches (predication): the next node is computed from the result of a
 * comparison, so the CPU cannot mispredict a branch. The number of steps is the tree's depth for
 * every document. Supports every ensemble; the unit of work is a tree.
 *
 * <p>Source: Asadi, Lin, de Vries, "Runtime Optimizations for Tree-Based Machine Learning Models",
 * IEEE TKDE 26(9), 2014, section 3 (PRED).
 */
public final class PredScorer extends LoopedTreeScorer {
  public static final Algorithm ALGORITHM = new Algorithm("pred", 0);

  public PredScorer(TreeEnsemble ensemble, CompileProgress progress) {
    super(ensemble, ALGORITHM, 1, progress);
  }

  @Override
  public void add(
      int unit, FeatureMatrix matrix, int from, int to, Scratch scratch, double[] sums) {
    Accumulator accumulator = ensemble().accumulator();
    LoopedTrees trees = trees();
    int[] keys = ((KeyScratch) scratch).keys();
    int[] columns = trees.columns();
    int[] bounds = trees.bounds();
    int[] left = trees.left();
    int stride = matrix.stride();
    int root = trees.roots()[unit];
    int depth = trees.depths()[unit];
    for (int document = from; document < to; document++) {
      int node = root;
      for (int step = 0; step < depth; step++) {
        int key = keys[columns[node] * stride + document];
        // The sign bit of the difference bound - key, in 64 bits, is 1 if the key is greater.
        node = left[node] + (int) ((bounds[node] - (long) key) >>> 63);
      }
      sums[document] = accumulator.add(sums[document], trees.values()[node]);
    }
  }
}
