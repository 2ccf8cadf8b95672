// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Columns that a model computes from a document's features before it evaluates its trees:
 * CatBoost's target statistics of categories (CTRs) and ONNX's normalised rows. Trees treat the
 * columns as further features, whose numbers follow those of the model's features.
 *
 * <p>A {@link Statistic} looks up the key of a {@link FeatureCombination} in a table that has one
 * value per key and column. Immutable.
 *
 * @param statistics the groups of statistics, in the order of their columns
 * @param codes the category texts by feature, for categorical features that have a list of texts
 * @param normalisations the groups whose columns follow those of the statistics
 */
public record DerivedColumns(
    List<Statistic> statistics,
    Map<Integer, CategoryCodes> codes,
    List<Normalisation> normalisations) {
  /** A group of derived columns that are computed together. */
  public sealed interface Group permits Statistic, Normalisation {
    /** Returns the number of columns that this group computes. */
    int columns();

    /** Returns the features from which this group computes its columns. */
    BitSet inputs();

    /** Returns the text with which the names of the group's columns begin. */
    String label();
  }

  /**
   * A group of derived columns. A key that is computed from features selects the values in a table.
   *
   * @param combination computes the key of a document
   * @param keys the keys of the table, ascending
   * @param values for each column, one value per key
   * @param otherwise for each column, the value for keys that are not in the table
   */
  public record Statistic(
      FeatureCombination combination, long[] keys, float[][] values, float[] otherwise)
      implements Group {
    @Override
    public int columns() {
      return values.length;
    }

    @Override
    public BitSet inputs() {
      BitSet inputs = new BitSet();
      for (int[] features :
          List.of(combination.categories(), combination.numbers(), combination.tested())) {
        Arrays.stream(features).forEach(inputs::set);
      }
      return inputs;
    }

    @Override
    public String label() {
      return "CTR";
    }
  }

  /** Maximum number of feature names in the name of a derived (computed) column. */
  private static final int MAX_NAMED = 16;

  /**
   * Creates the columns, and checks the tables of keys and values.
   *
   * @throws InvalidModelException if keys do not ascend, if a column does not have one value per
   *     key, or if a group does not have one value of {@code otherwise} per column
   */
  public DerivedColumns {
    statistics = List.copyOf(statistics);
    codes = Map.copyOf(codes);
    normalisations = List.copyOf(normalisations);
    statistics.forEach(DerivedColumns::check);
  }

  private static void check(Statistic statistic) {
    long[] keys = statistic.keys;
    for (int i = 1; i < keys.length; i++) {
      if (keys[i - 1] >= keys[i]) {
        throw new InvalidModelException(
            "target statistic (CTR): key " + i + " is not larger than key " + (i - 1));
      }
    }
    for (float[] values : statistic.values) {
      if (values.length != keys.length) {
        throw new InvalidModelException(
            "target statistic (CTR): found "
                + values.length
                + " values for "
                + keys.length
                + " keys, expected one for each key");
      }
    }
    if (statistic.otherwise.length != statistic.values.length) {
      throw new InvalidModelException(
          "target statistic (CTR): found "
              + statistic.otherwise.length
              + " default values (for categories that are not in the table), expected one for each"
              + " of "
              + statistic.values.length
              + " columns");
    }
  }

  /** Returns all groups of derived columns, in the order of the columns. */
  public List<Group> groups() {
    return Stream.<Group>concat(statistics.stream(), normalisations.stream()).toList();
  }

  /** Returns the mapping from a categorical feature's values to its category texts. */
  public CategoryCodes codesOf(int feature) {
    return codes.getOrDefault(feature, CategoryCodes.DIGITS);
  }

  /** Returns the total number of columns of all groups. */
  public int size() {
    return groups().stream().mapToInt(Group::columns).sum();
  }

  /**
   * Returns the features from which one of the derived columns is computed.
   *
   * @param column the number of the column, from 0
   */
  public BitSet inputs(int column) {
    int first = 0;
    for (Group group : groups()) {
      first += group.columns();
      if (column < first) {
        return group.inputs();
      }
    }
    throw new IllegalArgumentException(
        "there is no derived column " + column + ", expected a column number in 0.." + (first - 1));
  }

  /** Returns the features whose values the columns use as categories. */
  public BitSet categorical() {
    BitSet categorical = new BitSet();
    for (Statistic statistic : statistics) {
      Arrays.stream(statistic.combination.categories()).forEach(categorical::set);
      Arrays.stream(statistic.combination.tested()).forEach(categorical::set);
    }
    return categorical;
  }

  /** Checks that the columns are computed only from features below {@code features}. */
  void checkFeatures(int features) {
    for (int s = 0; s < statistics.size(); s++) {
      FeatureCombination combination = statistics.get(s).combination;
      for (int[] all :
          List.of(combination.categories(), combination.numbers(), combination.tested())) {
        check("target statistic " + s, all, features);
      }
    }
    for (int n = 0; n < normalisations.size(); n++) {
      check("norm " + n, normalisations.get(n).features(), features);
    }
  }

  private static void check(String what, int[] all, int features) {
    for (int feature : all) {
      if (feature < 0 || feature >= features) {
        throw new InvalidModelException(
            what + ": feature " + feature + ", expected 0.." + (features - 1));
      }
    }
  }

  /**
   * Returns one name for each derived column. The names are distinct, and differ from the names in
   * {@code features}.
   */
  List<String> names(List<String> features) {
    Set<String> taken = new HashSet<>(features);
    List<String> names = new ArrayList<>();
    for (Group group : groups()) {
      List<String> inputs = new ArrayList<>();
      group.inputs().stream().limit(MAX_NAMED).mapToObj(features::get).forEach(inputs::add);
      for (int i = 0; i < group.columns(); i++) {
        StringBuilder name =
            new StringBuilder(group.label() + " " + names.size() + " of " + inputs);
        while (!taken.add(name.toString())) {
          name.append('\'');
        }
        names.add(name.toString());
      }
    }
    return names;
  }

  /** Returns the memory, in bytes, of the tables that contain the columns' values. */
  public long bytes() {
    long bytes = 0;
    for (Statistic statistic : statistics) {
      bytes += statistic.keys.length * (Long.BYTES + (long) statistic.columns() * Float.BYTES);
    }
    for (Normalisation normalisation : normalisations) {
      bytes += (long) normalisation.columns() * Integer.BYTES;
    }
    return bytes;
  }
}
