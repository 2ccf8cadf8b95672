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
 * The columns of an ensemble. A column is a feature, the rule for its missing values and, for
 * categorical splits, the set of categories; all splits that agree in these see a value as one
 * rank.
 *
 * <p>A value's rank in a numeric column is how many of the column's thresholds lie below it, so a
 * split at the j-th of the ascending thresholds sends the value left when rank &lt;= j. A missing
 * value's rank is 0 where it goes left and the number of thresholds where it goes right; a
 * category's rank is 0 for members and 1 for others. Thresholds of a numeric column are distinct; a
 * column with more of them than allowed is cut in pieces, each of which decides its own splits.
 */
final class SplitColumns {
  /** Bytes of a column on the device, {@code struct Column} in columns.cuh. */
  static final int COLUMN_BYTES = 24;

  private static final MissingValue[] RULES = MissingValue.values();
  private static final int CATEGORICAL = 4;
  private static final int TOWARD_ZERO = 8;

  /**
   * @param row of the batch's values
   * @param thresholds ascending; one placeholder in a categorical column
   */
  record Column(int row, MissingValue rule, @Nullable CategorySet set, float[] thresholds) {}

  /** Numbers of categories are sent as floats, which are every integer up to here. */
  private static final int MAX_NUMBER = 1 << 24;

  /**
   * A row of a batch's values.
   *
   * @param numbers for the categories, in whose place they are sent
   */
  record Row(int feature, CategoryNumbers numbers) {}

  private final int maxThresholds;
  private final SplitTable splits;

  /** The rows of a batch's values: first the used features, then the numbered categories. */
  private final List<Row> rows = new ArrayList<>();

  /** By feature and rule: the first column of its thresholds. */
  private final int[] firstColumns;

  /** By feature: the column of its first category set. */
  private final int[] firstSetColumns;

  private final List<Column> columns = new ArrayList<>();

  /**
   * @param maxThresholds most thresholds of one column, 1 or more
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
   * Adds the category sets of a feature. If its categories are few and large, their numbers are
   * used instead.
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
                + " large categories, at most "
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

  /** Returns the values that a batch has for each document. */
  List<Row> rows() {
    return rows;
  }

  /** Returns the column that decides a split. */
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

  /**
   * Returns the device's form of columns whose thresholds and bitmaps are concatenated in their
   * order.
   */
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
        // On the device these are 32-bit words; the lower half of each long comes first.
        for (long word : column.set.toBitmap()) {
          packed.putInt((int) word).putInt((int) (word >>> 32));
        }
      }
    }
    return packed.flip();
  }

  /**
   * Returns a direct buffer in native order.
   *
   * @throws UnsupportedEnsembleException if it would be larger than a buffer can be, or the JVM has
   *     no room for it outside the heap
   */
  static ByteBuffer direct(long bytes) {
    if (bytes > Integer.MAX_VALUE) {
      throw new UnsupportedEnsembleException(
          "gpu: an array of the model takes " + bytes + " bytes, at most " + Integer.MAX_VALUE);
    }
    try {
      return ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.nativeOrder());
    } catch (OutOfMemoryError e) {
      // Out of direct buffers; the heap is not short, and the CPU can score.
      throw new UnsupportedEnsembleException(
          "gpu: an array of the model takes " + bytes + " bytes: " + e.getMessage());
    }
  }
}
