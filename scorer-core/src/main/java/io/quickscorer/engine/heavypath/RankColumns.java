// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.engine.bitsliced.FeaturePredicates;
import io.quickscorer.engine.columns.CategoryClasses;
import io.quickscorer.engine.columns.SearchTree;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.Arrays;

/**
 * Features as bytes, such that every split of every kind is one comparison: right when {@code rank
 * & mask >= bound}, all unsigned; bounds are 1 to 255, and masks are all ones at numeric splits.
 *
 * <p>The rank of a value in a numeric column is the number of the column's thresholds it exceeds. A
 * column has at most {@value #MAX_THRESHOLDS} thresholds; a feature with more has several columns,
 * each for a window of them. A missing value has a rank of its own, which takes it to the side that
 * the column's splits want; where they disagree beyond what one rank can do, the feature has
 * columns for either side.
 *
 * <p>A categorical column holds eight predicates of one feature, a bit each, set for what goes
 * right. Before the comparison all other bits are cleared.
 *
 * <p>A rank is found in two steps of 16 comparisons. The keys of a column, {@linkplain
 * FloatOrder#key ordered as the floats are}, lie at {@link #start}:
 *
 * <pre>
 *    16 pivots: keys 15, 31, ...      keys 0 to 15      keys 16 to 31     ...
 * </pre>
 *
 * <p>The pivots exceeded count the blocks of keys exceeded altogether; of the next block each key
 * is compared. What is left of a block is filled with the greatest int, which no key exceeds; there
 * is always a block after the last full one.
 *
 * <p>For several documents at a time there is a {@link SearchTree} of each column's keys too.
 */
final class RankColumns {
  static final int MAX_THRESHOLDS = 255;

  /** Bits of the smallest tree's ranks: its first levels need no look at how many there are. */
  public static final int MIN_TREE_BITS = 4;

  /** Keys of a block, and pivots of a column. */
  public static final int FAN_OUT = 16;

  /** No magnitude is this small: zero is a plain value. */
  private static final int ZERO_IS_PRESENT = -1;

  private static final int INFINITY_BITS = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

  private final int[] features;
  private final int[] zeroBits;
  private final int[] missingRanks;
  private final int[] starts;
  private final int[] keys;
  private final byte[] treeBits;
  private final int[] treeStarts;
  private final int[] trees;
  private final CategoryClasses[] categories;
  private final int count;

  /** A numeric column; its thresholds ascend and are distinct. */
  record Window(int feature, boolean zeroIsMissing, int missingRank, int[] thresholdKeys) {}

  /**
   * @param categories of the features with categorical splits, their predicates being numbered by
   *     column and bit
   * @param count all columns
   */
  RankColumns(Window[] windows, CategoryClasses[] categories, int count) {
    this.categories = categories;
    this.count = count;
    features = new int[windows.length];
    zeroBits = new int[windows.length];
    missingRanks = new int[windows.length];
    starts = new int[windows.length];
    treeBits = new byte[windows.length];
    treeStarts = new int[windows.length];
    int length = 0;
    int treeLength = 0;
    for (int c = 0; c < windows.length; c++) {
      int thresholds = windows[c].thresholdKeys.length;
      length += FAN_OUT * (2 + thresholds / FAN_OUT);
      treeBits[c] = (byte) Math.max(MIN_TREE_BITS, FeaturePredicates.rankBits(thresholds));
      treeStarts[c] = treeLength;
      treeLength += SearchTree.length(treeBits[c]);
    }
    keys = new int[length];
    trees = new int[treeLength];
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
  }

  /** Returns the number of columns; the numeric ones come first. */
  public int count() {
    return count;
  }

  public int numeric() {
    return features.length;
  }

  /** Returns the feature of a numeric column. */
  public int feature(int column) {
    return features[column];
  }

  /** Returns where a numeric column's pivots start in {@link #keys()}. */
  public int start(int column) {
    return starts[column];
  }

  /** Returns the keys; not a copy. */
  public int[] keys() {
    return keys;
  }

  /**
   * Returns the bits of the ranks that a numeric column's tree finds, {@value #MIN_TREE_BITS} to 8.
   */
  public int treeBits(int column) {
    return treeBits[column];
  }

  /** Returns where a numeric column's tree starts in {@link #trees()}. */
  public int treeStart(int column) {
    return treeStarts[column];
  }

  /** Returns the columns' trees. Not a copy. */
  public int[] trees() {
    return trees;
  }

  /** Returns the rank of missing values in a numeric column. */
  public int missingRank(int column) {
    return missingRanks[column];
  }

  /**
   * Returns the greatest magnitude, as a float's bits, of a value other than NaN that counts as
   * missing; -1 if there is none.
   */
  public int zeroBits(int column) {
    return zeroBits[column];
  }

  /**
   * Returns the rank of a value in a numeric column, given the rank of its key. It has no branches,
   * because missing values are often hard to predict.
   */
  public int orMissing(int column, float value, int rank) {
    int magnitude = Float.floatToRawIntBits(value) & Integer.MAX_VALUE;
    int missing = (INFINITY_BITS - magnitude | magnitude - zeroBits[column] - 1) >> 31;
    return rank & ~missing | missingRanks[column] & missing;
  }

  /** Returns whether any column is categorical. */
  public boolean categorical() {
    return categories.length > 0;
  }

  /** Writes a document's categorical columns, column c to {@code ranks[at + c]}. */
  public void categories(FeatureMatrix matrix, int document, byte[] ranks, int at) {
    for (CategoryClasses classes : categories) {
      float value = matrix.get(document, classes.feature());
      classes.row(value, ranks, at + classes.first() / Byte.SIZE);
    }
  }

  public long bytes() {
    long bytes = 21L * features.length + 4L * (keys.length + trees.length);
    for (CategoryClasses classes : categories) {
      bytes += classes.bytes();
    }
    return bytes;
  }
}
