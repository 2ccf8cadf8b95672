// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.Scratch;

/**
 * Base class of the engines STRUCT and STRUCT+. They follow the trees in {@link FlatTrees} from the
 * root, one document and one tree at a time. Each unit (see {@link BlockScorer}) is one tree.
 */
abstract sealed class FlatTreeScorer implements BlockScorer permits StructScorer, StructPlusScorer {
  private static final Scratch NO_SCRATCH = () -> 0;

  private final TreeEnsemble ensemble;
  private final FlatTrees trees;

  FlatTreeScorer(TreeEnsemble ensemble, FlatTrees trees) {
    this.ensemble = ensemble;
    this.trees = trees;
  }

  @Override
  public final TreeEnsemble ensemble() {
    return ensemble;
  }

  @Override
  public final long bytes() {
    return trees.bytes();
  }

  @Override
  public final Scratch newScratch() {
    return NO_SCRATCH;
  }

  @Override
  public final int units() {
    return trees.roots().length;
  }

  @Override
  public final int treesPerUnit() {
    return 1;
  }

  @Override
  public final void add(
      int unit, FeatureMatrix matrix, int from, int to, Scratch scratch, double[] sums) {
    if (trees.numericOnly()[unit]) {
      walkNumeric(unit, matrix, from, to, sums);
    } else {
      walkAny(unit, matrix, from, to, sums);
    }
  }

  private void walkNumeric(int tree, FeatureMatrix matrix, int from, int to, double[] sums) {
    Accumulator accumulator = ensemble.accumulator();
    int[] features = trees.features();
    float[] thresholds = trees.thresholds();
    boolean[] missingLeft = trees.missingLeft();
    int[] children = trees.children();
    double[] leaves = trees.leafValues();
    float[] values = matrix.values();
    int stride = matrix.stride();
    int root = trees.roots()[tree];
    for (int document = from; document < to; document++) {
      int node = root;
      while (node >= 0) {
        float value = values[features[node] * stride + document];
        boolean left = value <= thresholds[node] || (Float.isNaN(value) && missingLeft[node]);
        node = children[2 * node + (left ? 0 : 1)];
      }
      sums[document] = accumulator.add(sums[document], leaves[~node]);
    }
  }

  private void walkAny(int tree, FeatureMatrix matrix, int from, int to, double[] sums) {
    Tree rules = ensemble.trees().get(tree);
    Accumulator accumulator = ensemble.accumulator();
    int root = trees.roots()[tree];
    for (int document = from; document < to; document++) {
      int node = root;
      while (node >= 0) {
        float value = matrix.get(document, trees.features()[node]);
        boolean left = rules.goesLeft(trees.splits()[node], value);
        node = trees.children()[2 * node + (left ? 0 : 1)];
      }
      sums[document] = accumulator.add(sums[document], trees.leafValues()[~node]);
    }
  }
}
