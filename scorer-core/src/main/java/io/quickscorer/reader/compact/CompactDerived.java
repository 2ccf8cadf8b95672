// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.compact;

import io.quickscorer.ensemble.CategoryCodes;
import io.quickscorer.ensemble.DerivedColumns;
import io.quickscorer.ensemble.DerivedColumns.Statistic;
import io.quickscorer.ensemble.FeatureCombination;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.Normalisation;
import io.quickscorer.ensemble.Normalisation.Norm;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The section of derived columns: a count of statistics, and for each the counts of its categories,
 * numbers, tested categories, keys and columns, then these in {@link Statistic}'s order; after
 * them, by feature, the hashes of texts that numbers stand for; after these, if there are any, a
 * count of normalisations, and for each the norm's number and the features. Every number has 4
 * bytes, a key 8.
 */
final class CompactDerived {
  private CompactDerived() {}

  static long bytes(DerivedColumns derived) {
    long numbers = 2;
    for (Statistic statistic : derived.statistics()) {
      FeatureCombination combination = statistic.combination();
      long keys = statistic.keys().length;
      numbers += 5 + combination.categories().length;
      numbers += 3L * combination.numbers().length + 2L * combination.tested().length;
      numbers += 2 * keys + statistic.columns() * (keys + 1);
    }
    for (CategoryCodes codes : derived.codes().values()) {
      numbers += 2 + codes.end();
    }
    if (!derived.normalisations().isEmpty()) {
      numbers++;
    }
    for (Normalisation normalisation : derived.normalisations()) {
      numbers += 2L + normalisation.columns();
    }
    return numbers * Integer.BYTES;
  }

  static void write(DerivedColumns derived, ByteBuffer to) {
    to.putInt(derived.statistics().size());
    for (Statistic statistic : derived.statistics()) {
      FeatureCombination combination = statistic.combination();
      to.putInt(combination.categories().length).putInt(combination.numbers().length);
      to.putInt(combination.tested().length).putInt(statistic.keys().length);
      to.putInt(statistic.columns());
      put(combination.categories(), to);
      put(combination.numbers(), to);
      put(combination.bounds(), to);
      for (boolean above : combination.missingIsAbove()) {
        to.putInt(above ? 1 : 0);
      }
      put(combination.tested(), to);
      put(combination.hashes(), to);
      for (long key : statistic.keys()) {
        to.putLong(key);
      }
      put(statistic.otherwise(), to);
      for (float[] values : statistic.values()) {
        put(values, to);
      }
    }
    to.putInt(derived.codes().size());
    new TreeMap<>(derived.codes())
        .forEach(
            (feature, codes) -> {
              to.putInt(feature).putInt(codes.end());
              for (int category = 0; category < codes.end(); category++) {
                to.putInt(codes.hashOf(category));
              }
            });
    if (!derived.normalisations().isEmpty()) {
      to.putInt(derived.normalisations().size());
    }
    for (Normalisation normalisation : derived.normalisations()) {
      to.putInt(normalisation.norm().ordinal()).putInt(normalisation.columns());
      put(normalisation.features(), to);
    }
  }

  private static void put(int[] numbers, ByteBuffer to) {
    for (int number : numbers) {
      to.putInt(number);
    }
  }

  private static void put(float[] numbers, ByteBuffer to) {
    for (float number : numbers) {
      to.putFloat(number);
    }
  }

  static DerivedColumns read(ByteBuffer from) {
    int count = count(from, 5L * Integer.BYTES);
    List<Statistic> statistics = new ArrayList<>();
    for (int s = 0; s < count; s++) {
      int categories = count(from, Integer.BYTES);
      int numbers = count(from, 3L * Integer.BYTES);
      int tested = count(from, 2L * Integer.BYTES);
      int keys = count(from, Long.BYTES);
      int columns = count(from, (keys + 1L) * Integer.BYTES);
      // Each alone fits into what is left; together they must, too.
      long needed = categories + 3L * numbers + 2L * tested + 2L * keys + columns * (keys + 1L);
      if (needed * Integer.BYTES > from.remaining()) {
        throw new InvalidModelException(
            "statistic " + s + ": " + needed + " numbers, the section has fewer");
      }
      FeatureCombination combination =
          new FeatureCombination(
              ints(from, categories),
              ints(from, numbers),
              floats(from, numbers),
              booleans(from, numbers),
              ints(from, tested),
              ints(from, tested));
      long[] all = new long[keys];
      for (int i = 0; i < keys; i++) {
        all[i] = from.getLong();
      }
      float[] otherwise = floats(from, columns);
      float[][] values = new float[columns][];
      for (int i = 0; i < columns; i++) {
        values[i] = floats(from, keys);
      }
      statistics.add(new Statistic(combination, all, values, otherwise));
    }
    Map<Integer, CategoryCodes> codes = new TreeMap<>();
    int texts = count(from, 2L * Integer.BYTES);
    for (int i = 0; i < texts; i++) {
      int feature = count(from, 0);
      codes.put(feature, CategoryCodes.ofHashes(ints(from, count(from, Integer.BYTES))));
    }
    List<Normalisation> normalisations = new ArrayList<>();
    int norms = from.hasRemaining() ? count(from, 2L * Integer.BYTES) : 0;
    for (int i = 0; i < norms; i++) {
      int norm = count(from, 0);
      if (norm >= Norm.values().length) {
        throw new InvalidModelException("norm " + i + ": of number " + norm);
      }
      int[] features = ints(from, count(from, Integer.BYTES));
      normalisations.add(new Normalisation(Norm.values()[norm], features));
    }
    return new DerivedColumns(statistics, codes, normalisations);
  }

  /** A count of what has at least so many bytes each. */
  private static int count(ByteBuffer from, long bytes) {
    int count = from.remaining() < Integer.BYTES ? -1 : from.getInt();
    if (count < 0 || count * bytes > from.remaining()) {
      throw new InvalidModelException(
          "section " + CompactLayout.DERIVED + ": a count of " + count + ", it is too short");
    }
    return count;
  }

  private static int[] ints(ByteBuffer from, int count) {
    int[] ints = new int[count];
    for (int i = 0; i < count; i++) {
      ints[i] = from.getInt();
    }
    return ints;
  }

  private static float[] floats(ByteBuffer from, int count) {
    float[] floats = new float[count];
    for (int i = 0; i < count; i++) {
      floats[i] = from.getFloat();
    }
    return floats;
  }

  private static boolean[] booleans(ByteBuffer from, int count) {
    boolean[] booleans = new boolean[count];
    for (int i = 0; i < count; i++) {
      booleans[i] = from.getInt() != 0;
    }
    return booleans;
  }
}
