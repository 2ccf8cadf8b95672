// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import java.util.List;

/**
 * The splits of a tree block, arranged by feature so that those whose test fails for a value are
 * found without testing the others.
 *
 * <p>The splits of a feature form up to two <i>columns</i>: those for which zero is a plain value,
 * and those for which it is missing. A value is read for a column by {@link #read}, which replaces
 * values that are missing for the column by NaN. The column then holds three lists of false nodes:
 *
 * <ul>
 *   <li>numeric: thresholds ascend, so the false nodes are those before the first threshold that is
 *       not less than the value; each list ends with a sentinel of +infinity, which no value
 *       exceeds. NaN exceeds nothing, so a missing value has no false nodes here;
 *   <li>missing: the splits that send a missing value right, all of them false for NaN;
 *   <li>categorical: false when the set does not contain a value that is present.
 * </ul>
 *
 * <p>The bitvector of a tree is one or more words; bit b of word w is leaf {@code w * bitsPerWord +
 * b}. An entry of a list is a word, counted through the block, and the mask to be applied to it,
 * whose zeros are the leaves of the split's left subtree; a subtree that reaches into several words
 * makes several entries, and words that a mask would leave alone make none. List i of a kind is
 * {@code [starts[i], starts[i + 1])} of the kind's parallel arrays. The arrays are not copies.
 * Immutable by contract.
 */
public final class FalseNodes {
  /** One kind of list, for all columns. */
  public record Lists(int[] starts, int[] words, long[] masks) {
    long bytes() {
      return 4L * starts.length + 4L * words.length + 8L * masks.length;
    }
  }

  private final int[] firstWords;
  private final int[] features;
  private final boolean[] zeroIsMissing;
  private final Lists numeric;
  private final float[] thresholds;
  private final Lists missing;
  private final Lists categorical;
  private final CategorySet[] sets;
  private final int[] leafStarts;
  private final double[] leafValues;

  FalseNodes(
      int[] firstWords,
      int[] features,
      boolean[] zeroIsMissing,
      Lists numeric,
      float[] thresholds,
      Lists missing,
      Lists categorical,
      CategorySet[] sets,
      int[] leafStarts,
      double[] leafValues) {
    this.firstWords = firstWords;
    this.features = features;
    this.zeroIsMissing = zeroIsMissing;
    this.numeric = numeric;
    this.thresholds = thresholds;
    this.missing = missing;
    this.categorical = categorical;
    this.sets = sets;
    this.leafStarts = leafStarts;
    this.leafValues = leafValues;
  }

  /**
   * Compiles one block per {@code treesPerBlock} trees; the last block may be shorter.
   *
   * @param bitsPerWord 32 or 64
   */
  public static FalseNodes[] blocks(
      TreeEnsemble ensemble, int treesPerBlock, int bitsPerWord, CompileProgress progress) {
    List<Tree> trees = ensemble.trees();
    FalseNodes[] blocks = new FalseNodes[Math.ceilDiv(trees.size(), treesPerBlock)];
    for (int b = 0; b < blocks.length; b++) {
      int from = b * treesPerBlock;
      int to = Math.min(trees.size(), from + treesPerBlock);
      CompileProgress part =
          progress.part((double) from / trees.size(), (double) to / trees.size());
      blocks[b] = new FalseNodesBuilder(trees.subList(from, to), bitsPerWord).build(part);
    }
    return blocks;
  }

  /** Returns a value as a column reads it: NaN if it is missing for the column. */
  public static float read(float value, boolean zeroIsMissing) {
    return zeroIsMissing && Math.abs(value) <= MissingValue.ZERO_BOUND ? Float.NaN : value;
  }

  /** Returns the first word of each tree, then the number of words of the block. */
  public int[] firstWords() {
    return firstWords;
  }

  public int words() {
    return firstWords[firstWords.length - 1];
  }

  public int trees() {
    return leafStarts.length;
  }

  public int columns() {
    return features.length;
  }

  /** Returns the feature of each column, ascending. */
  public int[] features() {
    return features;
  }

  /** Returns for each column whether it treats zero as missing. */
  public boolean[] zeroIsMissing() {
    return zeroIsMissing;
  }

  public Lists numeric() {
    return numeric;
  }

  /**
   * Returns the thresholds, parallel to the arrays of {@link #numeric}, including the sentinels.
   */
  public float[] thresholds() {
    return thresholds;
  }

  public Lists missing() {
    return missing;
  }

  public Lists categorical() {
    return categorical;
  }

  /** Returns the category sets, parallel to the arrays of {@link #categorical}. */
  public CategorySet[] sets() {
    return sets;
  }

  /** Returns where each tree's leaf values start in {@link #leafValues}. */
  public int[] leafStarts() {
    return leafStarts;
  }

  /** Returns the values of the leaves, left to right, tree after tree. */
  public double[] leafValues() {
    return leafValues;
  }

  public long bytes() {
    return numeric.bytes()
        + missing.bytes()
        + categorical.bytes()
        + 4L * thresholds.length
        + 5L * features.length
        + 4L * (firstWords.length + leafStarts.length)
        + 8L * leafValues.length;
  }
}
