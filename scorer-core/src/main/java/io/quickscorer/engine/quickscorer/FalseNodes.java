// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import java.util.List;

/**
 * The splits of a block of trees, sorted so that a scan can stop early. The scan finds the splits
 * whose test fails for a value (its <i>false nodes</i>) without testing the others.
 *
 * <p>The splits of a feature form up to two <i>columns</i>: the splits for which zero is a normal
 * value, and those for which zero is missing. For a column, {@link #read} replaces missing values
 * by NaN. Each column has three lists of splits:
 *
 * <ul>
 *   <li>numeric: thresholds ascend, so the false nodes are the splits before the first threshold
 *       that the value does not exceed. Each list ends with a sentinel of +infinity;
 *   <li>missing: the splits that send a missing value right; all of them are false for NaN;
 *   <li>categorical: a split is false if the value is not missing and the split's set does not
 *       contain it.
 * </ul>
 *
 * <p>The bitvector of a tree has one or more words; bit b of word w is leaf {@code w * bitsPerWord
 * + b}. An entry of a list has a word and a mask, whose zeros are the leaves of the split's left
 * subtree. A split has an entry for each word with such leaves. Column i has the entries {@code
 * [starts[i], starts[i + 1])} of parallel arrays. The arrays are not copies.
 *
 * @param firstWords the index of each tree's first word in the bitvectors of the block, followed by
 *     the number of all words
 * @param features the index of the feature of each column, in ascending order
 * @param zeroIsMissing for each column, whether it treats zero as missing
 * @param numeric the splits that compare with a threshold
 * @param thresholds the threshold of each entry of {@code numeric}, and +infinity for each sentinel
 * @param missing the splits that send a missing value right
 * @param categorical the splits that test for categories
 * @param sets for each entry of {@code categorical}, the category set that the entry tests
 * @param leafStarts the index of each tree's first leaf in {@code leafValues}
 * @param leafValues the values of all leaves, tree after tree, each from left to right
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FalseNodes(
    int[] firstWords,
    int[] features,
    boolean[] zeroIsMissing,
    Lists numeric,
    float[] thresholds,
    Lists missing,
    Lists categorical,
    CategorySet[] sets,
    int[] leafStarts,
    double[] leafValues)
    implements TreeBlockScorer.Block {

  /**
   * The lists of splits of one kind (numeric, missing or categorical), for all columns. An entry is
   * a split and one word of its tree's bitvector.
   *
   * @param starts the index of each column's first entry, followed by the number of all entries
   * @param words the index of each entry's word
   * @param masks the mask of each entry, in which a 0 bit is a leaf that the split clears
   */
  public record Lists(int[] starts, int[] words, long[] masks) {
    long bytes() {
      return 4L * starts.length + 4L * words.length + 8L * masks.length;
    }
  }

  /**
   * Compiles an ensemble to blocks of {@code treesPerBlock} trees; the last one may be smaller.
   *
   * @param bitsPerWord the number of leaves per word of a bitvector: 8, 32 or 64
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

  @Override
  public FalseNodes falseNodes() {
    return this;
  }

  /** Returns a feature value, or NaN if the column treats the value as missing. */
  public static float read(float value, boolean zeroIsMissing) {
    return zeroIsMissing && Math.abs(value) <= MissingValue.ZERO_BOUND ? Float.NaN : value;
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

  /** Returns the memory of this block of trees in bytes. */
  @Override
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
