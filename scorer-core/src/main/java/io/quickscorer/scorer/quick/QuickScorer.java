package io.quickscorer.scorer.quick;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.Arrays;

/**
 * QuickScorer: traverses all trees at once, feature by feature. A tree's candidate leaves are a
 * bitvector of ones; every false node clears the leaves of its left subtree, and the lowest bit
 * left standing is the exit leaf. As thresholds ascend per feature, the false nodes of a value are
 * found by a scan that ends at the first true node.
 *
 * <p>Layout: see {@link FalseNodes}. Up to 64 leaves per tree. Trees are taken in blocks of {@value
 * #TREES_PER_BLOCK}, so that the bitvectors and the lists of a block stay in the second-level
 * cache.
 *
 * <p>Source: Lucchese, Nardini, Orlando, Perego, Tonellotto, Venturini, "QuickScorer: a Fast
 * Algorithm to Rank Documents with Additive Ensembles of Regression Trees", SIGIR 2015, section 3.
 */
public final class QuickScorer implements EnsembleScorer {
  /** Most leaves of a tree. */
  public static final int MAX_LEAVES = Long.SIZE;

  private static final int TREES_PER_BLOCK = 1024;

  private final TreeEnsemble ensemble;
  private final FalseNodes[] blocks;

  private QuickScorer(TreeEnsemble ensemble, FalseNodes[] blocks) {
    this.ensemble = ensemble;
    this.blocks = blocks;
  }

  public static boolean supports(EnsembleShape shape) {
    return shape.maxLeaves() <= MAX_LEAVES;
  }

  /**
   * @throws UnsupportedEnsembleException if a tree has more than {@link #MAX_LEAVES} leaves
   */
  public static QuickScorer compile(TreeEnsemble ensemble) {
    if (!supports(ensemble.shape())) {
      throw UnsupportedEnsembleException.tooManyLeaves("QuickScorer", ensemble, MAX_LEAVES);
    }
    return new QuickScorer(ensemble, FalseNodes.blocks(ensemble, TREES_PER_BLOCK, MAX_LEAVES));
  }

  @Override
  public TreeEnsemble ensemble() {
    return ensemble;
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.QS;
  }

  @Override
  public long bytes() {
    return Arrays.stream(blocks).mapToLong(FalseNodes::bytes).sum();
  }

  private record Bitvectors(long[] leaves) implements Scratch {
    @Override
    public long bytes() {
      return 8L * leaves.length;
    }
  }

  @Override
  public Scratch newScratch() {
    return new Bitvectors(new long[blocks[0].trees()]);
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores) {
    checkArguments(matrix, scores);
    long[] leaves = ((Bitvectors) scratch).leaves;
    int documents = matrix.documents();
    Arrays.fill(scores, 0, documents, ensemble.initialScore());
    for (FalseNodes block : blocks) {
      for (int document = 0; document < documents; document++) {
        Arrays.fill(leaves, 0, block.trees(), -1L);
        traverse(block, matrix, document, leaves);
        scores[document] = addExitLeaves(block, leaves, scores[document]);
      }
    }
    for (int document = 0; document < documents; document++) {
      scores[document] = ensemble.rawScore(scores[document]);
    }
  }

  private static void traverse(
      FalseNodes block, FeatureMatrix matrix, int document, long[] leaves) {
    float[] values = matrix.values();
    int stride = matrix.stride();
    int[] features = block.features();
    boolean[] zeroIsMissing = block.zeroIsMissing();
    int[] categoricalStarts = block.categorical().starts();
    for (int c = 0; c < features.length; c++) {
      float value = FalseNodes.read(values[features[c] * stride + document], zeroIsMissing[c]);
      if (Float.isNaN(value)) {
        applyMissing(block, c, leaves);
      } else {
        apply(block, c, value, leaves);
        if (categoricalStarts[c] < categoricalStarts[c + 1]) {
          applyCategorical(block, c, value, leaves);
        }
      }
    }
  }

  /** Clears what one value rules out. Thresholds ascend: the first true node ends the scan. */
  private static void apply(FalseNodes block, int column, float value, long[] leaves) {
    float[] thresholds = block.thresholds();
    int[] words = block.numeric().words();
    long[] masks = block.numeric().masks();
    for (int i = block.numeric().starts()[column]; value > thresholds[i]; i++) {
      leaves[words[i]] &= masks[i];
    }
  }

  private static void applyMissing(FalseNodes block, int column, long[] leaves) {
    FalseNodes.Lists lists = block.missing();
    int end = lists.starts()[column + 1];
    for (int i = lists.starts()[column]; i < end; i++) {
      leaves[lists.words()[i]] &= lists.masks()[i];
    }
  }

  private static void applyCategorical(FalseNodes block, int column, float value, long[] leaves) {
    FalseNodes.Lists lists = block.categorical();
    CategorySet[] sets = block.sets();
    int end = lists.starts()[column + 1];
    for (int i = lists.starts()[column]; i < end; i++) {
      if (!sets[i].contains(value)) {
        leaves[lists.words()[i]] &= lists.masks()[i];
      }
    }
  }

  private double addExitLeaves(FalseNodes block, long[] leaves, double sum) {
    Accumulator accumulator = ensemble.accumulator();
    int[] starts = block.leafStarts();
    double[] values = block.leafValues();
    for (int t = 0; t < starts.length; t++) {
      int exitLeaf = Long.numberOfTrailingZeros(leaves[t]);
      sum = accumulator.add(sum, values[starts[t] + exitLeaf]);
    }
    return sum;
  }
}
