// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.engine.columns.CategoryClasses;
import io.quickscorer.engine.columns.SplitTable;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Computes the {@link RankColumns} of an ensemble, and determines how each split tests its column.
 */
final class ColumnTable {
  private static final int MAX_COLUMNS = 1 << 13;

  /** Number of values of {@link MissingValue}, the rules for missing values. */
  private static final int KINDS = MissingValue.values().length;

  private final SplitTable splits;

  /**
   * For each feature and rule for missing values, the index of the first column. The index for
   * feature f and rule r is at {@code KINDS * f + r.ordinal()}.
   */
  private final int[] firstColumns;

  /**
   * For each feature and rule for missing values, the number of thresholds of another rule that
   * precede those of this rule in shared columns; 0 if columns are not shared. Indexed like {@link
   * #firstColumns}.
   */
  private final int[] offsets;

  /** For each feature, the index of the first column with its category sets. */
  private final int[] firstSetColumns;

  private final RankColumns columns;

  public ColumnTable(TreeEnsemble ensemble, CompileProgress progress) {
    int features = ensemble.featureNames().size();
    splits = new SplitTable(ensemble.trees(), features, progress);
    firstColumns = new int[features * KINDS];
    offsets = new int[features * KINDS];
    firstSetColumns = new int[features];
    List<RankColumns.Window> windows = new ArrayList<>();
    for (int f = 0; f < features; f++) {
      addWindows(f, false, windows);
      addWindows(f, true, windows);
    }
    int count = windows.size();
    List<CategoryClasses> categories = new ArrayList<>();
    for (int f = 0; f < features; f++) {
      List<CategoryClasses.Predicate> sets = splits.sets(f);
      if (!sets.isEmpty()) {
        firstSetColumns[f] = count;
        categories.add(new CategoryClasses(f, count * Byte.SIZE, sets, progress));
        count += Math.ceilDiv(sets.size(), Byte.SIZE);
      }
    }
    if (count > MAX_COLUMNS) {
      throw new UnsupportedEnsembleException(
          "heavypath: the model needs "
              + count
              + " columns, each for up to 255 thresholds or 8 category sets of a feature; at most "
              + MAX_COLUMNS
              + " are allowed");
    }
    columns =
        RankColumns.of(
            windows.toArray(RankColumns.Window[]::new),
            categories.toArray(CategoryClasses[]::new),
            count);
  }

  private static int kind(int feature, MissingValue rule) {
    return feature * KINDS + rule.ordinal();
  }

  /**
   * Adds the columns of one feature. "Left" splits send missing values left; "right" splits send
   * them right. If all thresholds of right splits are less than those of left splits, both kinds
   * share columns: a missing value gets a rank between the two groups of thresholds.
   *
   * @param zero whether the splits also treat zero as missing
   */
  private void addWindows(int feature, boolean zero, List<RankColumns.Window> windows) {
    int[] left = splits.thresholds(feature, MissingValue.of(true, zero));
    int[] right = splits.thresholds(feature, MissingValue.of(false, zero));
    int leftKind = kind(feature, MissingValue.of(true, zero));
    int rightKind = kind(feature, MissingValue.of(false, zero));
    if (left.length == 0 || right.length == 0 || right[right.length - 1] < left[0]) {
      int[] both = Arrays.copyOf(right, right.length + left.length);
      System.arraycopy(left, 0, both, right.length, left.length);
      firstColumns[rightKind] = windows.size();
      firstColumns[leftKind] = windows.size();
      offsets[leftKind] = right.length;
      addWindows(feature, zero, both, right.length, windows);
    } else {
      firstColumns[leftKind] = windows.size();
      addWindows(feature, zero, left, 0, windows);
      firstColumns[rightKind] = windows.size();
      addWindows(feature, zero, right, right.length, windows);
    }
  }

  private static void addWindows(
      int feature, boolean zero, int[] keys, int missingRank, List<RankColumns.Window> windows) {
    for (int from = 0; from < keys.length; from += RankColumns.MAX_THRESHOLDS) {
      int[] window =
          Arrays.copyOfRange(keys, from, Math.min(keys.length, from + RankColumns.MAX_THRESHOLDS));
      windows.add(
          new RankColumns.Window(
              feature, zero, Math.clamp(missingRank - from, 0, window.length), window));
    }
  }

  public RankColumns columns() {
    return columns;
  }

  /**
   * Returns the index of the column (thresholds or category sets of one feature) that a split
   * tests.
   */
  public int column(Tree tree, int split) {
    return tree.categories(split) == null
        ? firstColumns[kind(tree.feature(split), tree.missing(split))]
            + place(tree, split) / RankColumns.MAX_THRESHOLDS
        : firstSetColumns[tree.feature(split)] + splits.set(tree, split) / Byte.SIZE;
  }

  /** Returns the lowest rank, masked by {@link #mask}, that goes right at a split. */
  public int bound(Tree tree, int split) {
    return tree.categories(split) == null ? place(tree, split) % RankColumns.MAX_THRESHOLDS + 1 : 1;
  }

  /**
   * Returns the bits of the rank that a split compares, as a mask: all bits for a numeric split,
   * one bit for a categorical split.
   */
  public int mask(Tree tree, int split) {
    return tree.categories(split) == null ? 0xFF : 1 << splits.set(tree, split) % Byte.SIZE;
  }

  /** Returns the index of a split's threshold among all thresholds in the same columns. */
  private int place(Tree tree, int split) {
    return offsets[kind(tree.feature(split), tree.missing(split))] + splits.place(tree, split);
  }
}
