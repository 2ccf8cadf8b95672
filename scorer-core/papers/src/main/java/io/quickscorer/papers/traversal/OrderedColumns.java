// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.engine.columns.CategoryClasses;
import io.quickscorer.engine.columns.FloatOrder;
import io.quickscorer.engine.columns.SplitTable;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.CompileProgress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts feature values to integers (keys), so that a document goes left if {@code key <= bound},
 * for every kind of split.
 *
 * <p>A numeric column belongs to a feature and a rule for missing values. Its keys have the order
 * of the floats; the key of a missing value is the smallest or the largest one. A categorical
 * column belongs to a feature, a rule for missing values and a {@link CategorySet}. Its key is 0
 * for values that go left and 1 for others; its bound is 0.
 *
 * <p>The key of column c and document d is {@code keys[c * stride + d]}, with the matrix's stride.
 */
public final class OrderedColumns {
  private record Column(int feature, MissingValue rule, @Nullable CategorySet set) {}

  private static final MissingValue[] RULES = MissingValue.values();

  /** Approximate memory of one column, in bytes. */
  private static final int COLUMN_BYTES = 28;

  private final List<Column> columns;

  private OrderedColumns(List<Column> columns) {
    this.columns = columns;
  }

  /**
   * The columns of an ensemble, and the column of each split. An engine needs this object only
   * while it is compiled.
   */
  public static final class Assignment {
    private final OrderedColumns columns;
    private final SplitTable splits;
    private final int[][] numeric;
    private final int[] firstSet;

    private Assignment(SplitTable splits) {
      this.splits = splits;
      this.numeric = new int[splits.featureCount()][];
      this.firstSet = new int[splits.featureCount()];
      List<Column> all = new ArrayList<>();
      for (int feature = 0; feature < numeric.length; feature++) {
        if (splits.uses(feature)) {
          numeric[feature] = new int[RULES.length];
          for (MissingValue rule : RULES) {
            numeric[feature][rule.ordinal()] = all.size();
            if (splits.thresholds(feature, rule).length > 0) {
              all.add(new Column(feature, rule, null));
            }
          }
          firstSet[feature] = all.size();
          for (CategoryClasses.Predicate predicate : splits.sets(feature)) {
            all.add(new Column(feature, predicate.rule(), predicate.set()));
          }
        }
      }
      this.columns = new OrderedColumns(List.copyOf(all));
    }

    public OrderedColumns columns() {
      return columns;
    }

    /** Returns the index of the column that a split tests. */
    public int column(Tree tree, int split) {
      int feature = tree.feature(split);
      return tree.categories(split) == null
          ? numeric[feature][tree.missing(split).ordinal()]
          : firstSet[feature] + splits.set(tree, split);
    }
  }

  public static Assignment of(TreeEnsemble ensemble, CompileProgress progress) {
    return new Assignment(
        new SplitTable(ensemble.trees(), ensemble.featureNames().size(), progress));
  }

  public int count() {
    return columns.size();
  }

  /** Returns the memory of the columns in bytes, without the ensemble's category sets. */
  public long bytes() {
    return (long) COLUMN_BYTES * columns.size();
  }

  /**
   * Returns the memory, in bytes, of the keys (feature values as integers) of a batch of {@code
   * documents} documents.
   */
  public long keyBytes(int documents) {
    return FeatureMatrix.cells(columns.size(), documents) * Integer.BYTES;
  }

  /** Returns the bound of a split: the largest key that goes left. */
  public static int bound(Tree tree, int split) {
    return tree.categories(split) == null ? FloatOrder.key(tree.threshold(split)) : 0;
  }

  /** Writes the keys (feature values as integers) of documents [from, to) to {@code keys}. */
  public void fill(FeatureMatrix matrix, int from, int to, int[] keys) {
    for (int c = 0; c < columns.size(); c++) {
      Column column = columns.get(c);
      int at = c * matrix.stride();
      if (column.set == null) {
        fillNumeric(column, matrix, from, to, keys, at);
      } else {
        fillCategorical(column.set, column, matrix, from, to, keys, at);
      }
    }
  }

  private static void fillNumeric(
      Column column, FeatureMatrix matrix, int from, int to, int[] keys, int at) {
    int missing = column.rule.left() ? Integer.MIN_VALUE : Integer.MAX_VALUE;
    // If 0 is not missing, the bound is negative, so that |x| is always above it.
    float zero = column.rule.zeroIsMissing() ? MissingValue.ZERO_BOUND : -1;
    float[] values = matrix.values();
    int source = matrix.column(column.feature);
    for (int d = from; d < to; d++) {
      float value = values[source + d];
      boolean absent = Float.isNaN(value) || Math.abs(value) <= zero;
      keys[at + d] = absent ? missing : FloatOrder.key(value);
    }
  }

  private static void fillCategorical(
      CategorySet set, Column column, FeatureMatrix matrix, int from, int to, int[] keys, int at) {
    for (int d = from; d < to; d++) {
      float value = matrix.get(d, column.feature);
      boolean left = column.rule.isMissing(value) ? column.rule.left() : set.contains(value);
      keys[at + d] = left ? 0 : 1;
    }
  }
}
