// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.engine.bitsliced.FeaturePredicates;
import io.quickscorer.engine.columns.CategoryClasses;
import io.quickscorer.engine.columns.FloatOrder;
import io.quickscorer.engine.columns.SearchTree;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.Arrays;

/**
 * Converts features to ranks of one byte, so that every split is one unsigned comparison: a
 * document goes right if {@code (rank & mask) >= bound}. Bounds are 1 to 255; at numeric splits,
 * all bits of the mask are 1.
 *
 * <p>The rank of a value in a numeric column is the number of the column's thresholds that the
 * value exceeds. A column has at most {@value #MAX_THRESHOLDS} thresholds; a feature with more has
 * several columns, each for a <i>window</i> of consecutive thresholds. Missing values have a fixed
 * rank. If no rank is correct for all splits of a feature, one column is for the splits that send
 * missing values left, and another column is for those that send them right.
 *
 * <p>A categorical column has up to eight predicates (tests) of one feature, one bit of the byte
 * for each; the bit is 1 if the value goes right. A split's mask clears all other bits.
 *
 * <p>A rank is found in two steps of 16 comparisons. The {@linkplain FloatOrder#key keys} of a
 * column's thresholds start at index {@link #starts}, after 16 pivots:
 *
 * <pre>
 *    16 pivots: keys 15, 31, ...      keys 0 to 15      keys 16 to 31     ...
 * </pre>
 *
 * <p>A pivot is the last key of a block of 16 keys. If a value exceeds b pivots (step 1), it
 * exceeds all keys of the first b blocks. Step 2 compares the value with the 16 keys of the next
 * block; the rank is 16 * b plus the number of these keys that the value exceeds. Unused entries
 * are the largest int, which no key exceeds. Each column also has a {@link SearchTree} of its keys,
 * for several documents at a time.
 *
 * <p>The arrays are not copies. The numeric columns come first.
 *
 * @param features the index of each numeric column's feature
 * @param zeroBits for each numeric column, the bits of the largest float that counts as zero; -1 if
 *     zero is not a missing value
 * @param missingRanks the rank that missing values get in each numeric column
 * @param starts the index in {@code keys} at which each numeric column starts
 * @param keys the thresholds of all numeric columns, for the search in two steps
 * @param treeBits the number of levels of each numeric column's search tree, {@value
 *     #MIN_TREE_BITS} to 8
 * @param treeStarts the index in {@code trees} of each numeric column's search tree
 * @param trees the search trees of all numeric columns, one after the other
 * @param categories the predicates of each feature with categorical splits; predicate p is bit
 *     {@code p % 8} of column {@code p / 8}
 * @param count the number of all columns
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RankColumns(
    int[] features,
    int[] zeroBits,
    int[] missingRanks,
    int[] starts,
    int[] keys,
    byte[] treeBits,
    int[] treeStarts,
    int[] trees,
    CategoryClasses[] categories,
    int count) {

  /** Maximum number of thresholds in a numeric column. */
  static final int MAX_THRESHOLDS = 255;

  /**
   * Minimum number of levels of a search tree. Searches process this number of levels without
   * checking whether the tree has them.
   */
  public static final int MIN_TREE_BITS = 4;

  /** Number of comparisons per step. The search for a rank has two steps. */
  public static final int FAN_OUT = 16;

  /** The element of {@link #zeroBits} for a column in which zero does not count as missing. */
  private static final int ZERO_IS_PRESENT = -1;

  private static final int INFINITY_BITS = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

  /**
   * A numeric column: some consecutive thresholds of one feature.
   *
   * @param feature the index of the feature
   * @param zeroIsMissing whether zero counts as missing
   * @param missingRank the rank of missing values
   * @param thresholdKeys the distinct thresholds as ints, ascending
   */
  record Window(int feature, boolean zeroIsMissing, int missingRank, int[] thresholdKeys) {}

  /**
   * Creates the columns of an ensemble.
   *
   * @param windows the numeric columns, which come first
   * @param categories the predicates of each feature with categorical splits; predicate p is bit
   *     {@code p % 8} of column {@code p / 8}
   * @param count the number of all columns
   */
  static RankColumns of(Window[] windows, CategoryClasses[] categories, int count) {
    int[] features = new int[windows.length];
    int[] zeroBits = new int[windows.length];
    int[] missingRanks = new int[windows.length];
    int[] starts = new int[windows.length];
    byte[] treeBits = new byte[windows.length];
    int[] treeStarts = new int[windows.length];
    int length = 0;
    int treeLength = 0;
    for (int c = 0; c < windows.length; c++) {
      int thresholds = windows[c].thresholdKeys.length;
      length += FAN_OUT * (2 + thresholds / FAN_OUT);
      treeBits[c] = (byte) Math.max(MIN_TREE_BITS, FeaturePredicates.rankBits(thresholds));
      treeStarts[c] = treeLength;
      treeLength += SearchTree.length(treeBits[c]);
    }
    int[] keys = new int[length];
    int[] trees = new int[treeLength];
    Arrays.fill(keys, Integer.MAX_VALUE);
    int start = 0;
    for (int c = 0; c < windows.length; c++) {
      Window window = windows[c];
      int[] sorted = window.thresholdKeys;
      features[c] = window.feature;
      zeroBits[c] =
          window.zeroIsMissing ? Float.floatToRawIntBits(MissingValue.ZERO_BOUND) : ZERO_IS_PRESENT;
      missingRanks[c] = window.missingRank;
      starts[c] = start;
      SearchTree.write(sorted, treeBits[c], trees, treeStarts[c]);
      System.arraycopy(sorted, 0, keys, start + FAN_OUT, sorted.length);
      for (int pivot = 0; (pivot + 1) * FAN_OUT <= sorted.length; pivot++) {
        keys[start + pivot] = sorted[(pivot + 1) * FAN_OUT - 1];
      }
      start += FAN_OUT * (2 + sorted.length / FAN_OUT);
    }
    return new RankColumns(
        features,
        zeroBits,
        missingRanks,
        starts,
        keys,
        treeBits,
        treeStarts,
        trees,
        categories,
        count);
  }

  /** Returns the number of numeric columns. Each of them has thresholds of one feature. */
  public int numeric() {
    return features.length;
  }

  /**
   * Returns {@code rank}, or the rank of missing values if {@code value} is missing. The code has
   * no branches, because the CPU often mispredicts branches on missing values.
   */
  public int orMissing(int column, float value, int rank) {
    int magnitude = Float.floatToRawIntBits(value) & Integer.MAX_VALUE;
    int missing = (INFINITY_BITS - magnitude | magnitude - zeroBits[column] - 1) >> 31;
    return rank & ~missing | missingRanks[column] & missing;
  }

  /** Returns whether at least one column has category sets instead of thresholds. */
  public boolean categorical() {
    return categories.length > 0;
  }

  /**
   * Writes one byte for each categorical column c to {@code ranks[at + c]}: the results of the
   * column's predicates, up to eight, for a document.
   */
  public void categories(FeatureMatrix matrix, int document, byte[] ranks, int at) {
    for (CategoryClasses classes : categories) {
      float value = matrix.get(document, classes.feature());
      classes.row(value, ranks, at + classes.first() / Byte.SIZE);
    }
  }

  /** Returns the memory of all columns and search trees in bytes. */
  public long bytes() {
    long bytes = 21L * features.length + 4L * (keys.length + trees.length);
    for (CategoryClasses classes : categories) {
      bytes += classes.bytes();
    }
    return bytes;
  }
}
