package io.quickscorer.scorer.traversal;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.Arrays;

/**
 * Walks trees whose splits lie breadth-first in flat arrays, so that the upper levels, which every
 * document visits, share cache lines. One tree is walked by a whole document block before the next
 * tree is touched. Takes every ensemble.
 *
 * <p>Layout: see {@link BreadthFirstTrees}.
 *
 * <p>Source: Asadi, Lin, de Vries, "Runtime Optimizations for Tree-Based Machine Learning Models",
 * IEEE TKDE 26(9), 2014, section 3 (STRUCT+).
 */
public final class StructPlusScorer implements EnsembleScorer {
  private static final Scratch NO_SCRATCH = () -> 0;

  /** Documents whose columns stay in cache while the trees pass by. */
  private static final int DOCUMENTS_PER_BLOCK = 256;

  private final TreeEnsemble ensemble;
  private final BreadthFirstTrees trees;

  private StructPlusScorer(TreeEnsemble ensemble, BreadthFirstTrees trees) {
    this.ensemble = ensemble;
    this.trees = trees;
  }

  public static StructPlusScorer compile(TreeEnsemble ensemble) {
    return new StructPlusScorer(ensemble, BreadthFirstTrees.of(ensemble));
  }

  @Override
  public TreeEnsemble ensemble() {
    return ensemble;
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.STRUCT_PLUS;
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
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores) {
    checkArguments(matrix, scores);
    int documents = matrix.documents();
    Arrays.fill(scores, 0, documents, ensemble.initialScore());
    for (int from = 0; from < documents; from += DOCUMENTS_PER_BLOCK) {
      int to = Math.min(documents, from + DOCUMENTS_PER_BLOCK);
      for (int t = 0; t < trees.roots().length; t++) {
        if (trees.numericOnly()[t]) {
          walkNumeric(t, matrix, from, to, scores);
        } else {
          walkAny(t, matrix, from, to, scores);
        }
      }
    }
    for (int document = 0; document < documents; document++) {
      scores[document] = ensemble.rawScore(scores[document]);
    }
  }

  private void walkNumeric(int tree, FeatureMatrix matrix, int from, int to, double[] scores) {
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
      scores[document] = accumulator.add(scores[document], leaves[~node]);
    }
  }

  private void walkAny(int tree, FeatureMatrix matrix, int from, int to, double[] scores) {
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
      scores[document] = accumulator.add(scores[document], trees.leafValues()[~node]);
    }
  }
}
