// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.columns;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The categorical predicates on one feature, as a table of classes of values.
 *
 * <p>Two values are of one class if every predicate treats them equally. A row of the table belongs
 * to a class, a column to a predicate; the bit says "goes right". To turn 64 documents into
 * bitmaps, 64 rows are fetched and the square of bits is transposed:
 *
 * <pre>
 *            predicates                         documents
 *          +------------+                     +------------+
 *   doc 0  | row of its |            pred. 0  | its bitmap |
 *   doc 1  | class      |   transpose     1   |            |
 *    ...   |            |  ----------->  ...  |            |
 *   doc 63 +------------+                63   +------------+
 * </pre>
 *
 * <p>Rows are filled by {@link CategorySet} and {@link MissingValue} for one value of each class,
 * so nothing about rounding, missing values or zeros is decided here.
 */
public final class CategoryClasses {
  /** Most bytes of one feature's table. */
  private static final long MAX_BYTES = 64 << 20;

  /** One value of each class that is no plain category; number c follows at index 4 + c. */
  private static final float[] SPECIAL = {
    Float.NaN, -Float.MIN_VALUE, Float.MIN_VALUE, -0.5f,
  };

  /** A value of no category, whatever the rounding. */
  private static final float NO_CATEGORY = -1;

  /** A categorical predicate: the set that goes left, and where missing values go. */
  public record Predicate(CategorySet set, MissingValue rule) {
    boolean goesRight(float value) {
      return rule.isMissing(value) ? !rule.left() : !set.contains(value);
    }
  }

  private final int feature;
  private final int predicates;
  private final int first;
  private final int words;
  private final CategoryNumbers numbers;
  private final int[] rowOfClass;
  private final long[] rows;

  /**
   * @param feature the feature of the predicates
   * @param first number of the first of these predicates
   * @param progress checked for each class, because classes times predicates can take long
   * @throws UnsupportedEnsembleException if the table would be too large
   */
  public CategoryClasses(
      int feature, int first, List<Predicate> predicates, CompileProgress progress) {
    this.feature = feature;
    this.first = first;
    this.predicates = predicates.size();
    this.words = (predicates.size() + 63) / 64;
    this.numbers = CategoryNumbers.of(predicates.stream().map(Predicate::set).toList());
    // The class after the last number is that of every value that is no category of any set.
    this.rowOfClass = new int[SPECIAL.length + numbers.end() + 1];
    Map<Row, Integer> distinct = new HashMap<>();
    for (int c = 0; c < rowOfClass.length; c++) {
      progress.check();
      Row row = new Row(row(predicates, c));
      Integer number = distinct.get(row);
      if (number == null) {
        number = distinct.size();
        distinct.put(row, number);
        if (8L * words * distinct.size() > MAX_BYTES) {
          throw new UnsupportedEnsembleException(
              "category sets: feature "
                  + feature
                  + " has "
                  + this.predicates
                  + " sets of "
                  + numbers.end()
                  + " categories, their table exceeds "
                  + MAX_BYTES
                  + " bytes");
        }
      }
      rowOfClass[c] = number;
    }
    this.rows = new long[distinct.size() * words];
    distinct.forEach((row, number) -> System.arraycopy(row.bits, 0, rows, number * words, words));
  }

  private long[] row(List<Predicate> predicates, int valueClass) {
    float value = value(valueClass);
    long[] bits = new long[words];
    for (int p = 0; p < predicates.size(); p++) {
      bits[p >>> 6] |= predicates.get(p).goesRight(value) ? 1L << p : 0;
    }
    return bits;
  }

  private float value(int valueClass) {
    int number = valueClass - SPECIAL.length;
    if (number < 0) {
      return SPECIAL[valueClass];
    }
    // Category 0 is tested with 0.5, because zero itself may be a missing value.
    return number == 0 && number < numbers.end()
        ? 0.5f
        : number < numbers.end() ? numbers.category(number) : NO_CATEGORY;
  }

  private record Row(long[] bits) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Row that && Arrays.equals(bits, that.bits);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bits);
    }
  }

  private int rowOf(float value) {
    int valueClass;
    if (value > MissingValue.ZERO_BOUND) {
      valueClass = SPECIAL.length + numbers.of((int) value);
    } else if (value >= 0) {
      valueClass = 2;
    } else if (value >= -MissingValue.ZERO_BOUND) {
      valueClass = 1;
    } else if (value > -1) {
      valueClass = 3;
    } else {
      valueClass = Float.isNaN(value) ? 0 : rowOfClass.length - 1;
    }
    return rowOfClass[valueClass] * words;
  }

  public int feature() {
    return feature;
  }

  /** Returns the number of the first predicate. */
  public int first() {
    return first;
  }

  /**
   * Writes the row of a value's class, as many bytes as hold all predicates.
   *
   * @param to receives predicate p, counted from the first one, as bit {@code p % 8} of byte {@code
   *     at + p / 8}
   */
  public void row(float value, byte[] to, int at) {
    int row = rowOf(value);
    for (int i = 0; i < (predicates + 7) / 8; i++) {
      to[at + i] = (byte) (rows[row + (i >> 3)] >>> 8 * i);
    }
  }

  /**
   * Writes the bitmaps of these predicates for up to 64 documents.
   *
   * @param values the documents' values from index {@code from} on
   * @param documents documents, 1 to 64; further bits are of no meaning
   * @param bitmaps receives word {@code word} of each predicate's bitmap of {@code stride} words
   * @param square 64 words to work in
   */
  public void fill(
      float[] values,
      int from,
      int documents,
      long[] bitmaps,
      int stride,
      int word,
      long[] square) {
    for (int column = 0; column < words; column++) {
      for (int d = 0; d < documents; d++) {
        square[d] = rows[rowOf(values[from + d]) + column];
      }
      transpose(square);
      int count = Math.min(64, predicates - 64 * column);
      for (int p = 0; p < count; p++) {
        bitmaps[(first + 64 * column + p) * stride + word] = square[p];
      }
    }
  }

  /** Exchanges rows and columns of 64 x 64 bits, by halves, quarters, and so on. */
  static void transpose(long[] square) {
    long mask = 0xFFFF_FFFFL;
    for (int half = 32; half > 0; half >>= 1, mask ^= mask << half) {
      for (int row = 0; row < 64; row = (row | half) + 1 & ~half) {
        long swap = (square[row] >>> half ^ square[row | half]) & mask;
        square[row] ^= swap << half;
        square[row | half] ^= swap;
      }
    }
  }

  public long bytes() {
    return 64 + 4L * rowOfClass.length + 8L * rows.length + numbers.bytes();
  }
}
