// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.Scratch;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Base class of QuickScorer's engines that score one document at a time. Subclasses read from the
 * bitvectors which leaves the document reaches.
 */
public abstract class FalseNodeScorer extends TreeBlockScorer<FalseNodes> {
  /** Divides the trees of an ensemble into blocks of {@code treesPerBlock} trees, 1 or more. */
  protected FalseNodeScorer(TreeEnsemble ensemble, int treesPerBlock, CompileProgress progress) {
    super(ensemble, treesPerBlock, Long.SIZE, Function.identity(), progress);
  }

  private record Bitvectors(long[] leaves) implements Scratch {
    @Override
    public long bytes() {
      return 8L * leaves.length;
    }
  }

  @Override
  public final Scratch newScratch() {
    return new Bitvectors(new long[words()]);
  }

  @Override
  public final long scratchBytes(int documents) {
    return 8L * words();
  }

  @Override
  public final void add(
      int unit, FeatureMatrix matrix, int from, int to, Scratch scratch, double[] sums) {
    FalseNodes block = block(unit);
    long[] leaves = ((Bitvectors) scratch).leaves;
    for (int document = from; document < to; document++) {
      Arrays.fill(leaves, 0, block.words(), -1L);
      traverse(block, matrix, document, leaves);
      sums[document] = addExitLeaves(block, leaves, sums[document]);
    }
  }

  /**
   * Adds to {@code sum} the value of the leaf that the document reaches in each tree, and returns
   * the new sum. The lowest 1 bit of a tree's bitvector is this leaf. A subclass whose bitvectors
   * may have several words must override this method.
   */
  protected double addExitLeaves(FalseNodes block, long[] leaves, double sum) {
    Accumulator accumulator = ensemble().accumulator();
    int[] starts = block.leafStarts();
    double[] values = block.leafValues();
    for (int t = 0; t < starts.length; t++) {
      int exitLeaf = Long.numberOfTrailingZeros(leaves[t]);
      sum = accumulator.add(sum, values[starts[t] + exitLeaf]);
    }
    return sum;
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

  /**
   * Clears, in the bitvectors, the leaves that a feature value rules out. Thresholds ascend, so the
   * loop ends at the first split whose test succeeds.
   */
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
}
