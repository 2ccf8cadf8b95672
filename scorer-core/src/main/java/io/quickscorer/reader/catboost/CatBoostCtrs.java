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
 * CatBoost's target statistics (CTRs), for all of its formats: numbers that represent categories,
 * computed from the training rows with these categories. A {@link Table} contains counts of the
 * training data for each combination of categories. A {@link Ctr} computes one number from these
 * counts, in float: {@code ((good + prior) / (total + prior_denominator) + shift) * scale}. The
 * number does not depend on the document, so it is computed only once per combination.
 *
 * <p>Each border of a CTR is a split. The split indices of CTRs follow those of all float and
 * one-hot features.
 */
final class CatBoostCtrs {
  /** Memory in bytes that the columns of every file may need, whatever the size of the file. */
  private static final long FREE_BYTES = 64L << 20;

  /** Number of bytes of memory that each byte of the file adds to the limit {@link #FREE_BYTES}. */
  private static final int BYTES_PER_FILE_BYTE = 16;

  /** The types of CTRs (target statistics), in the order of their numbers in the binary file. */
  enum Type {
    Borders,
    Buckets,
    BinarizedTargetMeanValue,
    FloatTargetMeanValue,
    Counter,
    FeatureFreq;

    /**
     * Returns whether each combination of categories has two counts: the sum of the target values
     * and the number of training rows.
     */
    boolean isMean() {
      return this == BinarizedTargetMeanValue || this == FloatTargetMeanValue;
    }

    /**
     * Returns whether each combination of categories has only one count, and all combinations share
     * a denominator.
     */
    boolean isCounter() {
      return this == Counter || this == FeatureFreq;
    }
  }

  /**
   * A table with counts of the training data for each combination of categories.
   *
   * @param offset the byte offset of the table in the file
   * @param keys the hash of each combination, in any order
   * @param cells the counts of the first combination, then equally many of the second, and so on
   * @param denominator the denominator that all combinations share, if the type {@linkplain
   *     Type#isCounter is a counter}
   */
  record Table(long offset, long[] keys, double[] cells, int denominator) {
    int perKey() {
      return keys.length == 0 ? 0 : cells.length / keys.length;
    }

    /**
     * Returns the running sums of counts for each combination of categories: 0, the first count,
     * the sum of the first two counts, and so on.
     */
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
   * A combination of features. CatBoost numbers float features and categorical features separately.
   *
   * @param categories the categorical features whose categories are combined
   * @param floats the float features that are compared with borders
   * @param borders for each element of {@code floats}, its border, as the bits of a float
   * @param tested the categorical features that are compared with one category each
   * @param hashes the hash of the category of each element of {@code tested}
   */
  record Projection(int[] categories, int[] floats, int[] borders, int[] tested, int[] hashes) {
    /** Returns a text that is equal only for equal combinations of features. */
    String key() {
      return Arrays.deepToString(new int[][] {categories, floats, borders, tested, hashes});
    }
  }

  /**
   * A CTR feature: a statistic that CatBoost computes from categories.
   *
   * @param offset the byte offset in the file
   * @param table the name of the table of counts
   * @param type the type of the statistic
   * @param projection the features that are combined
   * @param border the number of a class of the target or, for some types, the number of a border
   *     between two classes
   * @param prior a constant that is added to the numerator
   * @param priorDenominator a constant that is added to the denominator
   * @param shift a constant that is added to the quotient
   * @param scale the factor by which the shifted quotient is multiplied
   * @param borders the borders of the splits that test this feature
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

    /**
     * Returns {@code ((good + prior) / (total + prior_denominator) + shift) * scale}, computed in
     * float.
     */
    float calculate(double good, double total) {
      float ctr = ((float) good + prior) / ((float) total + priorDenominator);
      return (ctr + shift) * scale;
    }

    /**
     * Returns the value of this CTR (CatBoost's statistic of a category) for one combination of
     * categories.
     *
     * @param sums the {@link Table#sums} of the table
     * @param key the index of the combination in the table; negative if the table does not contain
     *     it
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
      // With two classes, only the second one is above a border, whatever its number.
      int above = perKey == 2 ? 1 : border + 1;
      int from = type == Type.Borders ? above : border;
      int to = type == Type.Borders ? perKey : border + 1;
      int ofKey = key * (perKey + 1);
      return calculate(sums[ofKey + to] - sums[ofKey + from], sums[ofKey + perKey]);
    }

    /**
     * Checks that the table has the counts per combination that this CTR needs: two for a mean, one
     * for a counter, and for other types at least two and at least {@code border + 1}. An empty
     * table is valid.
     */
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

  /** The index of the CTR (statistic of a category) that each split tests. */
  private final IntList splitCtrs = new IntList();

  /** The border with which each split compares its statistic, as the bits of a float. */
  private final IntList splitBorders = new IntList();

  void add(Ctr ctr) {
    for (float border : ctr.borders) {
      splitCtrs.add(ctrs.size());
      splitBorders.add(Float.floatToRawIntBits(border));
    }
    ctrs.add(ctr);
  }

  /** Returns the number of splits that test CTRs (target statistics). */
  int splits() {
    return splitCtrs.size();
  }

  /** Returns the index of the CTR (target statistic) that a split tests. */
  int ctr(int split) {
    return splitCtrs.get(split);
  }

  float border(int split) {
    return Float.intBitsToFloat(splitBorders.get(split));
  }

  /** Adds a table of counts. No table with this name may exist yet. */
  void add(String name, Table table) {
    if (tables.put(name, table) != null) {
      throw InvalidModelException.at(
          table.offset, "CTR table: found two tables with the same name");
    }
  }

  /**
   * Returns the columns of the CTRs (target statistics) that splits test; null if there are none.
   *
   * @param codes the category texts by column, for features whose texts the caller gives
   * @param fileBytes the size of the file in bytes, which limits the size of the columns
   */
  @Nullable DerivedColumns columns(
      CatBoostFeatures features, Map<Integer, CategoryCodes> codes, long fileBytes) {
    if (ctrs.isEmpty()) {
      return null;
    }
    long bytesLeft = FREE_BYTES + BYTES_PER_FILE_BYTE * fileBytes;
    List<Statistic> statistics = new ArrayList<>();
    // The sums are cached because many CTRs may use one table.
    Map<String, double[]> sums = new HashMap<>();
    for (int first = 0; first < ctrs.size(); ) {
      Ctr ctr = ctrs.get(first);
      int end = first + 1;
      // Consecutive CTRs with the same table form a group, so that scoring looks up each key only
      // once.
      while (end < ctrs.size() && isOfSameTable(ctr, ctrs.get(end))) {
        end++;
      }
      Table table = tables.get(ctr.table);
      if (table == null) {
        throw InvalidModelException.at(
            ctr.offset, "CTR " + first + ": the file does not contain its table");
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
    return new DerivedColumns(statistics, codes, List.of());
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

  /** Returns the number of CTR features (target statistics). */
  int size() {
    return ctrs.size();
  }
}
