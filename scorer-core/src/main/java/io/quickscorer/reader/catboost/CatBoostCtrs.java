// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.CategoryCodes;
import io.quickscorer.ensemble.DerivedColumns;
import io.quickscorer.ensemble.DerivedColumns.Statistic;
import io.quickscorer.ensemble.FeatureCombination;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * CatBoost's target statistics of categories (CTRs), for all of its formats. A {@link Table} has
 * counts of the training data per combination of categories; a {@link Ctr} converts a count to one
 * number, in float: {@code ((good + prior) / (total + prior_denominator) + shift) * scale}. That
 * does not depend on the document, so it is computed once for each count.
 *
 * <p>The splits on CTRs are numbered after those of all float and one-hot features, border by
 * border.
 */
final class CatBoostCtrs {
  /** Types of counts, in the order of the binary file's numbers. */
  enum Type {
    Borders,
    Buckets,
    BinarizedTargetMeanValue,
    FloatTargetMeanValue,
    Counter,
    FeatureFreq;

    /** Returns whether a key has a sum and a count. */
    boolean isMean() {
      return this == BinarizedTargetMeanValue || this == FloatTargetMeanValue;
    }

    /** Returns whether a key has one count, which is divided by one number for all. */
    boolean isCounter() {
      return this == Counter || this == FeatureFreq;
    }
  }

  /**
   * The statistics of the training data in a table.
   *
   * @param keys of the combinations, in any order
   * @param cells counts, the same number for each key
   * @param denominator of a counter
   */
  record Table(long offset, long[] keys, double[] cells, int denominator) {
    int perKey() {
      return keys.length == 0 ? 0 : cells.length / keys.length;
    }

    /** Returns the first count of key 0, the sum of its first two, and so on to the sum of all. */
    double[] sums() {
      int perKey = perKey();
      double[] sums = new double[keys.length * (perKey + 1)];
      for (int key = 0; key < keys.length; key++) {
        int first = key * (perKey + 1);
        for (int i = 0; i < perKey; i++) {
          sums[first + i + 1] = sums[first + i] + cells[key * perKey + i];
        }
      }
      return sums;
    }
  }

  /**
   * A combination of features, by CatBoost's numbers of float and categorical features.
   *
   * @param borders bits of the borders of the float features
   */
  record Projection(int[] categories, int[] floats, int[] borders, int[] tested, int[] hashes) {
    /** Returns a text that is equal for equal combinations. */
    String key() {
      return Arrays.deepToString(new int[][] {categories, floats, borders, tested, hashes});
    }
  }

  /**
   * A CTR feature.
   *
   * @param offset in the file
   * @param table the key of its table
   * @param border of the target's classes, or the class itself
   * @param borders of the splits that test it
   */
  record Ctr(
      long offset,
      String table,
      Type type,
      Projection projection,
      int border,
      float prior,
      float priorDenominator,
      float shift,
      float scale,
      float[] borders) {

    /** Computes the value; integer counts or float sums become floats by one rounding. */
    float calculate(double good, double total) {
      float ctr = ((float) good + prior) / ((float) total + priorDenominator);
      return (ctr + shift) * scale;
    }

    /**
     * Returns the value for the counts of a key, or of none.
     *
     * @param sums the table's, for types that compare counts with the sum of all
     */
    float of(Table table, double[] sums, int key) {
      int perKey = key < 0 ? 0 : table.perKey();
      int first = key * perKey;
      double[] cells = table.cells;
      if (type.isMean()) {
        return perKey == 0 ? calculate(0, 0) : calculate(cells[first], cells[first + 1]);
      }
      if (type.isCounter()) {
        return calculate(perKey == 0 ? 0 : cells[first], table.denominator);
      }
      if (perKey == 0) {
        return calculate(0, 0);
      }
      // For two classes it is the second, whatever the border.
      int above = perKey == 2 ? 1 : border + 1;
      int from = type == Type.Borders ? above : border;
      int to = type == Type.Borders ? perKey : border + 1;
      int ofKey = key * (perKey + 1);
      return calculate(sums[ofKey + to] - sums[ofKey + from], sums[ofKey + perKey]);
    }

    /** Checks the table's number of counts per key. */
    void check(Table table) {
      int expected = type.isMean() ? 2 : type.isCounter() ? 1 : Math.max(2, border + 1);
      int found = table.perKey();
      boolean exact = type.isMean() || type.isCounter();
      if (border < 0) {
        throw InvalidModelException.at(
            offset, "CTR: target border " + border + ", expected 0 or more");
      }
      if (table.keys.length > 0 && (exact ? found != expected : found < expected)) {
        throw InvalidModelException.at(
            table.offset,
            "CTR table of type "
                + type
                + ": "
                + found
                + " counts per key, expected "
                + expected
                + (exact ? "" : " or more"));
      }
    }
  }

  private final List<Ctr> ctrs = new ArrayList<>();
  private final Map<String, Table> tables = new HashMap<>();

  /** The CTR that each split tests, and the bits of the border. */
  private final IntList splitCtrs = new IntList();

  private final IntList splitBorders = new IntList();

  void add(Ctr ctr) {
    for (float border : ctr.borders) {
      splitCtrs.add(ctrs.size());
      splitBorders.add(Float.floatToRawIntBits(border));
    }
    ctrs.add(ctr);
  }

  /** Returns the number of splits. */
  int splits() {
    return splitCtrs.size();
  }

  /** Returns the CTR that a split tests. */
  int ctr(int split) {
    return splitCtrs.get(split);
  }

  float border(int split) {
    return Float.intBitsToFloat(splitBorders.get(split));
  }

  /** Adds a table; its key must be new. */
  void add(String name, Table table) {
    if (tables.put(name, table) != null) {
      throw InvalidModelException.at(table.offset, "CTR table: given twice");
    }
  }

  /**
   * Returns the columns that splits test; null if there are none.
   *
   * @param fileBytes size of the file, which bounds that of the columns
   */
  @Nullable DerivedColumns columns(
      CatBoostFeatures features, Map<Integer, CategoryCodes> codes, long fileBytes) {
    if (ctrs.isEmpty()) {
      return null;
    }
    long bytesLeft = CategoryMemory.bytesFor(fileBytes);
    List<Statistic> statistics = new ArrayList<>();
    // Many CTRs may share one table, so its sums are cached.
    Map<String, double[]> sums = new HashMap<>();
    for (int first = 0; first < ctrs.size(); ) {
      Ctr ctr = ctrs.get(first);
      int end = first + 1;
      // CTRs of one table are kept together, so that each key is looked up once.
      while (end < ctrs.size() && isOfSameTable(ctr, ctrs.get(end))) {
        end++;
      }
      Table table = tables.get(ctr.table);
      if (table == null) {
        throw InvalidModelException.at(
            ctr.offset, "CTR " + first + ": the file does not have its table");
      }
      bytesLeft -= table.keys.length * (Long.BYTES + (end - first) * (long) Float.BYTES);
      if (bytesLeft < 0) {
        throw InvalidModelException.at(
            ctr.offset, "CTR " + first + ": its tables are too large for a file of this size");
      }
      double[] ofTable = sums.computeIfAbsent(ctr.table, name -> table.sums());
      statistics.add(statistic(ctrs.subList(first, end), table, ofTable, features));
      first = end;
    }
    return new DerivedColumns(statistics, codes);
  }

  private static boolean isOfSameTable(Ctr a, Ctr b) {
    return a.table.equals(b.table) && a.projection.key().equals(b.projection.key());
  }

  private static Statistic statistic(
      List<Ctr> ctrs, Table table, double[] sums, CatBoostFeatures features) {
    long[] keys = table.keys.clone();
    Arrays.sort(keys);
    for (int i = 1; i < keys.length; i++) {
      if (keys[i] == keys[i - 1]) {
        throw InvalidModelException.at(table.offset, "CTR table: a key occurs twice");
      }
    }
    float[][] values = new float[ctrs.size()][keys.length];
    float[] otherwise = new float[ctrs.size()];
    for (int i = 0; i < otherwise.length; i++) {
      ctrs.get(i).check(table);
      otherwise[i] = ctrs.get(i).of(table, sums, -1);
    }
    for (int row = 0; row < keys.length; row++) {
      int place = Arrays.binarySearch(keys, table.keys[row]);
      for (int i = 0; i < otherwise.length; i++) {
        values[i][place] = ctrs.get(i).of(table, sums, row);
      }
    }
    return new Statistic(combination(ctrs.getFirst(), features), keys, values, otherwise);
  }

  private static FeatureCombination combination(Ctr ctr, CatBoostFeatures features) {
    Projection projection = ctr.projection;
    try {
      int[] floats = projection.floats;
      int[] numbers = new int[floats.length];
      float[] bounds = new float[floats.length];
      boolean[] missingIsAbove = new boolean[floats.length];
      for (int i = 0; i < floats.length; i++) {
        numbers[i] = features.column(floats[i]);
        bounds[i] = Float.intBitsToFloat(projection.borders[i]);
        missingIsAbove[i] = features.nanIsLargest(floats[i]);
      }
      return new FeatureCombination(
          columns(projection.categories, features),
          numbers,
          bounds,
          missingIsAbove,
          columns(projection.tested, features),
          projection.hashes);
    } catch (InvalidModelException e) {
      throw e.in("CTR").at(ctr.offset);
    }
  }

  private static int[] columns(int[] categorical, CatBoostFeatures features) {
    return Arrays.stream(categorical).map(feature -> features.column(~feature)).toArray();
  }

  /** Returns the number of CTR features. */
  int size() {
    return ctrs.size();
  }
}
