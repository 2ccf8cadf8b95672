// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.Scratch;
import java.util.SplittableRandom;

/**
 * The engines STRUCT and STRUCT+. They follow the trees in {@link FlatTrees} from the root, one
 * document and one tree at a time. Each unit (see {@link BlockScorer}) is one tree. They support
 * every ensemble.
 *
 * <p>Source: Asadi, Lin, de Vries, "Runtime Optimizations for Tree-Based Machine Learning Models",
 * IEEE TKDE 26(9), 2014, section 3 (STRUCT and STRUCT+).
 */
public final class FlatTreeScorer extends TreewiseScorer {
  public static final Algorithm STRUCT = new Algorithm("struct", 0);
  public static final Algorithm STRUCT_PLUS = new Algorithm("struct+", 0);

  /** Number of documents per block of STRUCT+, whose values fit the second-level cache. */
  private static final int DOCUMENTS_OF_STRUCT_PLUS = 256;

  private static final Scratch NO_SCRATCH = () -> 0;

  private final FlatTrees trees;

  private FlatTreeScorer(
      TreeEnsemble ensemble, FlatTrees trees, Algorithm algorithm, int documentsPerBlock) {
    super(ensemble, algorithm, documentsPerBlock);
    this.trees = trees;
  }

  /**
   * Compiles an ensemble for STRUCT. The splits are in random order in memory, as if each had been
   * allocated separately; the order is the same in every JVM. Each document is scored with all
   * trees before the next document.
   */
  public static FlatTreeScorer struct(TreeEnsemble ensemble, CompileProgress progress) {
    FlatTrees trees =
        FlatTrees.breadthFirst(ensemble, progress.part(0, 0.5))
            .shuffled(new SplittableRandom(1), progress.part(0.5, 1));
    return new FlatTreeScorer(ensemble, trees, STRUCT, 1);
  }

  /**
   * Compiles an ensemble for STRUCT+. The splits are in breadth-first order, so the upper levels,
   * which every document visits, share cache lines. A whole block of documents is scored with one
   * tree before the next tree.
   */
  public static FlatTreeScorer structPlus(TreeEnsemble ensemble, CompileProgress progress) {
    return new FlatTreeScorer(
        ensemble,
        FlatTrees.breadthFirst(ensemble, progress),
        STRUCT_PLUS,
        DOCUMENTS_OF_STRUCT_PLUS);
  }

  @Override
  public long bytes() {
    return trees.bytes();
  }

  @Override
  public Scratch newScratch() {
    return NO_SCRATCH;
  }

  @Override
  public void add(
      int unit, FeatureMatrix matrix, int from, int to, Scratch scratch, double[] sums) {
    if (trees.numericOnly()[unit]) {
      walkNumeric(unit, matrix, from, to, sums);
    } else {
      walkAny(unit, matrix, from, to, sums);
    }
  }

  private void walkNumeric(int tree, FeatureMatrix matrix, int from, int to, double[] sums) {
    Accumulator accumulator = ensemble().accumulator();
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
    Tree rules = ensemble().trees().get(tree);
    Accumulator accumulator = ensemble().accumulator();
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
