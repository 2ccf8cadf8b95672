// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.engine.columns.CategoryClasses;
import io.quickscorer.engine.columns.CategoryNumbers;
import io.quickscorer.engine.columns.FloatOrder;
import io.quickscorer.engine.columns.SplitTable;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The columns of an ensemble. A column is a feature with a rule for missing values or, for
 * categorical splits, with a set of categories. All splits of a column compare the same rank of a
 * value.
 *
 * <p>In a numeric column, the rank is the number of thresholds below the value, so the split at
 * threshold j sends the value left if rank &lt;= j. The rank of a missing value is 0 if the rule
 * sends it left; otherwise, it is the number of thresholds. In a categorical column, the rank is 0
 * for members of the set, otherwise 1. If there are too many thresholds for one column, further
 * columns contain the rest.
 */
final class SplitColumns {
  /** Size of a column on the device, in bytes: {@code struct Column} in columns.cuh. */
  static final int COLUMN_BYTES = 24;

  private static final MissingValue[] RULES = MissingValue.values();
  private static final int CATEGORICAL = 4;
  private static final int TOWARD_ZERO = 8;

  /**
   * A column of ranks: a feature with a rule for missing values, or with a set of categories.
   *
   * @param row index of the {@link Row} whose feature values the column compares
   * @param rule the rule for missing values
   * @param set the categories of a categorical column; null for a numeric column
   * @param thresholds in ascending order; in a categorical column, one element without meaning
   */
  record Column(int row, MissingValue rule, @Nullable CategorySet set, float[] thresholds) {}

  /** Largest number that may replace a category; a float (the device's type) holds it exactly. */
  private static final int MAX_NUMBER = 1 << 24;

  /**
   * Describes one row of a batch. A row contains the values of one feature for all documents.
   *
   * @param feature the index of the feature
   * @param numbers the numbers that replace the categories on the device, or {@link
   *     CategoryNumbers#IDENTITY}
   */
  record Row(int feature, CategoryNumbers numbers) {}

  private final int maxThresholds;
  private final SplitTable splits;

  /** One row for each used feature, then the rows in which smaller numbers replace categories. */
  private final List<Row> rows = new ArrayList<>();

  /** For each feature and rule for missing values, the index of its first column. */
  private final int[] firstColumns;

  /** For each feature, the index of the first column with its category sets. */
  private final int[] firstSetColumns;

  private final List<Column> columns = new ArrayList<>();

  /**
   * Assigns each split of an ensemble to a column.
   *
   * @param maxThresholds maximum number of thresholds of a column
   */
  SplitColumns(SplitTable splits, int maxThresholds) {
    this.maxThresholds = maxThresholds;
    this.splits = splits;
    int[] features = IntStream.range(0, splits.featureCount()).filter(splits::uses).toArray();
    this.firstColumns = new int[splits.featureCount() * RULES.length];
    this.firstSetColumns = new int[splits.featureCount()];
    for (int feature : features) {
      rows.add(new Row(feature, CategoryNumbers.IDENTITY));
      for (MissingValue rule : RULES) {
        addNumeric(feature, rule);
      }
    }
    for (int row = 0; row < features.length; row++) {
      addSets(features[row], row);
    }
  }

  /**
   * Adds one column for each category set of a feature. If categories are large numbers, smaller
   * numbers replace them.
   *
   * @param plainRow index of the row with the unchanged values of the feature
   */
  private void addSets(int feature, int plainRow) {
    firstSetColumns[feature] = columns.size();
    List<CategoryClasses.Predicate> sets = splits.sets(feature);
    CategoryNumbers numbers =
        CategoryNumbers.of(sets.stream().map(CategoryClasses.Predicate::set).toList());
    int row = plainRow;
    if (!numbers.isIdentity()) {
      if (numbers.end() > MAX_NUMBER) {
        throw new UnsupportedEnsembleException(
            "gpu: feature "
                + feature
                + " has "
                + numbers.end()
                + " distinct categories, expected at most "
                + MAX_NUMBER);
      }
      row = rows.size();
      rows.add(new Row(feature, numbers));
    }
    for (CategoryClasses.Predicate predicate : sets) {
      columns.add(new Column(row, predicate.rule(), numbers.of(predicate.set()), new float[1]));
    }
  }

  private void addNumeric(int feature, MissingValue rule) {
    int row = rows.size() - 1;
    int[] keys = splits.thresholds(feature, rule);
    firstColumns[index(feature, rule)] = columns.size();
    for (int from = 0; from < keys.length; from += maxThresholds) {
      float[] thresholds = new float[Math.min(maxThresholds, keys.length - from)];
      for (int i = 0; i < thresholds.length; i++) {
        thresholds[i] = FloatOrder.value(keys[from + i]);
      }
      columns.add(new Column(row, rule, null, thresholds));
    }
  }

  private static int index(int feature, MissingValue rule) {
    return feature * RULES.length + rule.ordinal();
  }

  List<Column> columns() {
    return columns;
  }

  /** Returns the rows of a batch, each of which has one value per document. */
  List<Row> rows() {
    return rows;
  }

  int column(Tree tree, int split) {
    return tree.categories(split) == null
        ? firstColumns[index(tree.feature(split), tree.missing(split))]
            + splits.place(tree, split) / maxThresholds
        : firstSetColumns[tree.feature(split)] + splits.set(tree, split);
  }

  /** Returns the index of a split's threshold in its column. */
  int threshold(Tree tree, int split) {
    return tree.categories(split) == null ? splits.place(tree, split) % maxThresholds : 0;
  }

  /** Returns columns with thresholds and category bitmaps, in the byte layout of the device. */
  static ByteBuffer pack(List<Column> columns) {
    ByteBuffer packed = direct((long) columns.size() * COLUMN_BYTES);
    int begin = 0;
    int setBegin = 0;
    for (Column column : columns) {
      int setWords = column.set == null ? 0 : 2 * column.set.toBitmap().length;
      packed.putInt(column.row).putInt(ruleBits(column));
      packed.putInt(begin).putInt(column.thresholds.length);
      packed.putInt(setBegin).putInt(setWords);
      begin = Math.addExact(begin, column.thresholds.length);
      setBegin = Math.addExact(setBegin, setWords);
    }
    return packed.flip();
  }

  private static int ruleBits(Column column) {
    int bits = (column.rule.left() ? 1 : 0) | (column.rule.zeroIsMissing() ? 2 : 0);
    if (column.set != null) {
      bits |= CATEGORICAL;
      bits |= column.set.rounding() == CategorySet.Rounding.TOWARD_ZERO ? TOWARD_ZERO : 0;
    }
    return bits;
  }

  static ByteBuffer packThresholds(List<Column> columns) {
    long count = 0;
    for (Column column : columns) {
      count += column.thresholds.length;
    }
    ByteBuffer packed = direct(count * Float.BYTES);
    for (Column column : columns) {
      for (float threshold : column.thresholds) {
        packed.putFloat(threshold);
      }
    }
    return packed.flip();
  }

  static ByteBuffer packSets(List<Column> columns) {
    long count = 0;
    for (Column column : columns) {
      count += column.set == null ? 0 : column.set.toBitmap().length;
    }
    ByteBuffer packed = direct(count * Long.BYTES);
    for (Column column : columns) {
      if (column.set != null) {
        // The device reads 32-bit words, so the lower half of each long comes first.
        for (long word : column.set.toBitmap()) {
          packed.putInt((int) word).putInt((int) (word >>> 32));
        }
      }
    }
    return packed.flip();
  }

  /**
   * Returns a direct buffer in native byte order.
   *
   * @throws UnsupportedEnsembleException if the buffer is too large for the JVM
   */
  static ByteBuffer direct(long bytes) {
    if (bytes > Integer.MAX_VALUE) {
      throw new UnsupportedEnsembleException(
          "gpu: an array of the model takes "
              + bytes
              + " bytes, expected at most "
              + Integer.MAX_VALUE);
    }
    try {
      return ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.nativeOrder());
    } catch (OutOfMemoryError e) {
      // Only memory for direct buffers is missing, so the CPU can still score the model.
      throw new UnsupportedEnsembleException(
          "gpu: an array of the model takes "
              + bytes
              + " bytes, which cannot be allocated: "
              + e.getMessage());
    }
  }
}
