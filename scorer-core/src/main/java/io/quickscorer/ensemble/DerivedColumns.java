// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Columns that a model computes from a document's features before its trees are walked: CatBoost's
 * target statistics of categories (CTRs). To its trees they are features like others, numbered
 * after them.
 *
 * <p>A {@link Statistic} looks a {@link FeatureCombination} up in a table of keys, and gives what
 * stands there for each of its columns. Immutable.
 */
public final class DerivedColumns {
  /**
   * Columns that one table gives.
   *
   * @param keys ascending
   * @param values per column one value per key
   * @param otherwise per column the value where the key is none of them
   */
  public record Statistic(
      FeatureCombination combination, long[] keys, float[][] values, float[] otherwise) {
    /** How many columns it gives. */
    public int columns() {
      return values.length;
    }
  }

  private final List<Statistic> statistics;
  private final Map<Integer, CategoryCodes> codes;
  private final int size;

  /**
   * @param statistics whose columns come one after the other
   * @param codes what numbers stand for, of categorical features where it is not their digits
   * @throws InvalidModelException if keys do not ascend, or there are other than as many values
   */
  public DerivedColumns(List<Statistic> statistics, Map<Integer, CategoryCodes> codes) {
    this.statistics = List.copyOf(statistics);
    this.codes = Map.copyOf(codes);
    this.size = statistics.stream().mapToInt(Statistic::columns).sum();
    for (Statistic statistic : statistics) {
      check(statistic);
    }
  }

  private static void check(Statistic statistic) {
    long[] keys = statistic.keys;
    for (int i = 1; i < keys.length; i++) {
      if (keys[i - 1] >= keys[i]) {
        throw new InvalidModelException("statistic: key " + i + " is not greater than the last");
      }
    }
    for (float[] values : statistic.values) {
      if (values.length != keys.length) {
        throw new InvalidModelException(
            "statistic: " + values.length + " values of " + keys.length + " keys");
      }
    }
    if (statistic.otherwise.length != statistic.values.length) {
      throw new InvalidModelException("statistic: not one value per column for other keys");
    }
  }

  public List<Statistic> statistics() {
    return statistics;
  }

  /** Categorical features whose numbers stand for texts, and for which ones. */
  public Map<Integer, CategoryCodes> codes() {
    return codes;
  }

  /** What the numbers of a categorical feature stand for. */
  public CategoryCodes codesOf(int feature) {
    return codes.getOrDefault(feature, CategoryCodes.DIGITS);
  }

  /** How many columns there are. */
  public int size() {
    return size;
  }

  /** The features that a column is computed from. */
  public BitSet inputs(int column) {
    int first = 0;
    for (Statistic statistic : statistics) {
      first += statistic.columns();
      if (column < first) {
        return inputs(statistic.combination);
      }
    }
    throw new IllegalArgumentException("derived column " + column + " of " + size);
  }

  private static BitSet inputs(FeatureCombination combination) {
    BitSet inputs = new BitSet();
    for (int[] features :
        List.of(combination.categories(), combination.numbers(), combination.tested())) {
      Arrays.stream(features).forEach(inputs::set);
    }
    return inputs;
  }

  /** The features whose values are taken for categories. */
  public BitSet categorical() {
    BitSet categorical = new BitSet();
    for (Statistic statistic : statistics) {
      Arrays.stream(statistic.combination.categories()).forEach(categorical::set);
      Arrays.stream(statistic.combination.tested()).forEach(categorical::set);
    }
    return categorical;
  }

  /**
   * Checks that every feature there is one of so many.
   *
   * @throws InvalidModelException if one is not
   */
  void checkFeatures(int features) {
    for (int s = 0; s < statistics.size(); s++) {
      FeatureCombination combination = statistics.get(s).combination;
      for (int[] all :
          List.of(combination.categories(), combination.numbers(), combination.tested())) {
        for (int feature : all) {
          if (feature < 0 || feature >= features) {
            throw new InvalidModelException(
                "statistic " + s + ": feature " + feature + ", expected 0.." + (features - 1));
          }
        }
      }
    }
  }

  /** Names of the columns, of which none is one of the features'. */
  List<String> names(List<String> features) {
    Set<String> taken = new HashSet<>(features);
    List<String> names = new ArrayList<>(size);
    for (Statistic statistic : statistics) {
      List<String> of = new ArrayList<>();
      inputs(statistic.combination).stream().mapToObj(features::get).forEach(of::add);
      for (int i = 0; i < statistic.columns(); i++) {
        StringBuilder name = new StringBuilder("CTR " + names.size() + " of " + of);
        while (!taken.add(name.toString())) {
          name.append('\'');
        }
        names.add(name.toString());
      }
    }
    return names;
  }

  /** Bytes of the tables. */
  public long bytes() {
    long bytes = 0;
    for (Statistic statistic : statistics) {
      bytes += statistic.keys.length * (Long.BYTES + (long) statistic.columns() * Float.BYTES);
    }
    return bytes;
  }
}
