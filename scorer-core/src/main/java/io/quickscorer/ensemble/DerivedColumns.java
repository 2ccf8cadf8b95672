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
 * Columns that a model computes from a document's features before its trees are walked: CatBoost's
 * target statistics of categories (CTRs), ONNX's normalised rows. Trees treat them as features,
 * numbered after the others.
 *
 * <p>A {@link Statistic} looks up a {@link FeatureCombination} in a table of keys, which holds one
 * value for each of its columns. Immutable.
 */
public final class DerivedColumns {
  /** Columns that are computed together. */
  public sealed interface Group permits Statistic, Normalisation {
    /** Returns the number of its columns. */
    int columns();

    /** Returns the features that its columns are computed from. */
    BitSet inputs();

    /** Returns the prefix of its columns' names. */
    String label();
  }

  /**
   * Columns whose values are looked up in one table.
   *
   * @param keys ascending
   * @param values per column one value per key
   * @param otherwise per column the value for keys that are not in the table
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

  /** Maximum number of a column's features that its name lists. */
  private static final int MAX_NAMED = 16;

  private final List<Statistic> statistics;
  private final List<Normalisation> normalisations;
  private final List<Group> groups;
  private final Map<Integer, CategoryCodes> codes;
  private final int size;

  /**
   * @param statistics in the order of their columns
   * @param codes the texts of numbers, by feature, for categorical features whose categories are
   *     not digits
   * @throws InvalidModelException if keys do not ascend, or the number of values differs from
   *     theirs
   */
  public DerivedColumns(List<Statistic> statistics, Map<Integer, CategoryCodes> codes) {
    this(statistics, codes, List.of());
  }

  /**
   * @param normalisations their columns come after the statistics'
   * @throws InvalidModelException as the other constructor
   */
  public DerivedColumns(
      List<Statistic> statistics,
      Map<Integer, CategoryCodes> codes,
      List<Normalisation> normalisations) {
    this.statistics = List.copyOf(statistics);
    this.normalisations = List.copyOf(normalisations);
    this.groups = Stream.<Group>concat(statistics.stream(), normalisations.stream()).toList();
    this.codes = Map.copyOf(codes);
    this.size = groups.stream().mapToInt(Group::columns).sum();
    for (Statistic statistic : statistics) {
      check(statistic);
    }
  }

  private static void check(Statistic statistic) {
    long[] keys = statistic.keys;
    for (int i = 1; i < keys.length; i++) {
      if (keys[i - 1] >= keys[i]) {
        throw new InvalidModelException(
            "statistic: key " + i + " is not greater than the one before");
      }
    }
    for (float[] values : statistic.values) {
      if (values.length != keys.length) {
        throw new InvalidModelException(
            "statistic: " + values.length + " values of " + keys.length + " keys");
      }
    }
    if (statistic.otherwise.length != statistic.values.length) {
      throw new InvalidModelException(
          "statistic: the number of values for unknown keys differs from the number of columns");
    }
  }

  public List<Statistic> statistics() {
    return statistics;
  }

  /** Returns all groups, in the order of their columns. */
  public List<Group> groups() {
    return groups;
  }

  public List<Normalisation> normalisations() {
    return normalisations;
  }

  /** Returns the category texts by their numbers, for each categorical feature with texts. */
  public Map<Integer, CategoryCodes> codes() {
    return codes;
  }

  /** Returns the categories of a categorical feature's numbers. */
  public CategoryCodes codesOf(int feature) {
    return codes.getOrDefault(feature, CategoryCodes.DIGITS);
  }

  /** Returns the number of columns. */
  public int size() {
    return size;
  }

  /** Returns the features that a column is computed from. */
  public BitSet inputs(int column) {
    int first = 0;
    for (Group group : groups) {
      first += group.columns();
      if (column < first) {
        return group.inputs();
      }
    }
    throw new IllegalArgumentException("derived column " + column + " of " + size);
  }

  /** Returns the features whose values are categories. */
  public BitSet categorical() {
    BitSet categorical = new BitSet();
    for (Statistic statistic : statistics) {
      Arrays.stream(statistic.combination.categories()).forEach(categorical::set);
      Arrays.stream(statistic.combination.tested()).forEach(categorical::set);
    }
    return categorical;
  }

  /**
   * Checks that every feature is below a number of features.
   *
   * @throws InvalidModelException if one is not
   */
  void checkFeatures(int features) {
    for (int s = 0; s < statistics.size(); s++) {
      FeatureCombination combination = statistics.get(s).combination;
      for (int[] all :
          List.of(combination.categories(), combination.numbers(), combination.tested())) {
        check("statistic " + s, all, features);
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

  /** Returns names for the columns, all different from the features' names. */
  List<String> names(List<String> features) {
    Set<String> taken = new HashSet<>(features);
    List<String> names = new ArrayList<>(size);
    for (Group group : groups) {
      List<String> of = new ArrayList<>();
      group.inputs().stream().limit(MAX_NAMED).mapToObj(features::get).forEach(of::add);
      for (int i = 0; i < group.columns(); i++) {
        StringBuilder name = new StringBuilder(group.label() + " " + names.size() + " of " + of);
        while (!taken.add(name.toString())) {
          name.append('\'');
        }
        names.add(name.toString());
      }
    }
    return names;
  }

  /** Returns the bytes of the tables. */
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
