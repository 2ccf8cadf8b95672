// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.columns;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A table of the results of all categorical predicates (tests for a set) on one feature.
 *
 * <p>Two values are in the same class if every predicate has the same result for both. Each class
 * has a row with one bit per predicate: 1 if the class's values go right. The rows of 64 documents
 * are copied, and their bits are transposed to one bitmap per predicate:
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
 * <p>{@link CategorySet} and {@link MissingValue} compute a class's row from one of its values.
 */
public final class CategoryClasses {
  /** Maximum size, in bytes, of the table of predicate results for one feature. */
  private static final long MAX_BYTES = 64 << 20;

  /**
   * One value of each of the classes 0 to 3. Class 0 is NaN; class 1 is just below 0; class 2 is 0
   * or just above; class 3 is the other values between -1 and 0.
   */
  private static final float[] SPECIAL = {
    Float.NaN, -Float.MIN_VALUE, Float.MIN_VALUE, -0.5f,
  };

  /** A value that no set contains, whichever rule a set has for values between -1 and 0. */
  private static final float NO_CATEGORY = -1;

  /**
   * A test of a feature for a set of categories.
   *
   * @param set the categories that go left
   * @param rule the rule for missing values
   */
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
   * Creates the table of predicate results for a feature.
   *
   * @param feature the feature that the predicates test
   * @param first the number of the first predicate; the others follow
   * @param progress checked for each class, because many classes and predicates can take long
   * @throws UnsupportedEnsembleException if the table would be too large
   */
  public CategoryClasses(
      int feature, int first, List<Predicate> predicates, CompileProgress progress) {
    this.feature = feature;
    this.first = first;
    this.predicates = predicates.size();
    this.words = (predicates.size() + 63) / 64;
    this.numbers = CategoryNumbers.of(predicates.stream().map(Predicate::set).toList());
    // One more class than category numbers, for all values that are in no set.
    this.rowOfClass = new int[SPECIAL.length + numbers.end() + 1];
    Map<BitSet, Integer> distinct = new HashMap<>();
    for (int c = 0; c < rowOfClass.length; c++) {
      progress.check();
      BitSet row = row(predicates, c);
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
                  + " categories; their table would exceed "
                  + MAX_BYTES
                  + " bytes");
        }
      }
      rowOfClass[c] = number;
    }
    this.rows = new long[distinct.size() * words];
    distinct.forEach(
        (row, number) -> {
          long[] bits = row.toLongArray();
          System.arraycopy(bits, 0, rows, number * words, bits.length);
        });
  }

  private BitSet row(List<Predicate> predicates, int valueClass) {
    float value = value(valueClass);
    BitSet bits = new BitSet(predicates.size());
    for (int p = 0; p < predicates.size(); p++) {
      bits.set(p, predicates.get(p).goesRight(value));
    }
    return bits;
  }

  private float value(int valueClass) {
    int number = valueClass - SPECIAL.length;
    if (number < 0) {
      return SPECIAL[valueClass];
    }
    // Category 0 is represented by 0.5, because 0 may be a missing value.
    return number == 0 && number < numbers.end()
        ? 0.5f
        : number < numbers.end() ? numbers.category(number) : NO_CATEGORY;
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

  /** Returns the index of the first predicate in this table. */
  public int first() {
    return first;
  }

  /**
   * Writes the results of all predicates for a value: one bit per predicate, padded to whole bytes.
   *
   * @param to receives the result of predicate p, counted from {@link #first}, in bit {@code p % 8}
   *     of byte {@code at + p / 8}
   */
  public void row(float value, byte[] to, int at) {
    int row = rowOf(value);
    for (int i = 0; i < (predicates + 7) / 8; i++) {
      to[at + i] = (byte) (rows[row + (i >> 3)] >>> 8 * i);
    }
  }

  /**
   * Computes the bitmaps of this feature's predicates for up to 64 documents.
   *
   * @param values the documents' values, which start at index {@code from}
   * @param documents the number of documents, 1 to 64; the bits of further documents are undefined
   * @param bitmaps the bitmaps of all predicates, of {@code stride} words each; the method writes
   *     word number {@code word} of each bitmap of this feature
   * @param square a buffer of 64 words
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

  /** Exchanges bit i of element k and bit k of element i, for all i and k from 0 to 63. */
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

  /** Returns the size of the table of predicate results in bytes. */
  public long bytes() {
    return 64 + 4L * rowOfClass.length + 8L * rows.length + numbers.bytes();
  }
}
