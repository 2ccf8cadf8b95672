// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.CategoryCodes;
import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The features of a CatBoost model. Float features are numbered from 0, and so are categorical
 * features. Each feature also has a <em>flat index</em>: its column in the training data. The
 * ensemble has one feature per column, in the order of the columns. If CatBoost removed unused
 * features ({@code drop_unused_features}), some numbers and columns are missing in the file; a
 * missing column becomes a feature that no split tests.
 */
final class CatBoostFeatures {
  /** The column (flat index) of a feature for which the file contains no column. */
  static final int NO_COLUMN = -1;

  /** Placeholder in the lists of features for a number that no feature in the file has. */
  private static final Feature LEFT_OUT = new Feature(-2, 0, "", false);

  private record Feature(int column, long offset, String name, boolean nanIsLargest) {
    boolean isLeftOut() {
      return column < 0;
    }
  }

  private final EnsembleLimits limits;
  private final List<Feature> floats = new ArrayList<>();
  private final List<Feature> categorical = new ArrayList<>();
  private final Map<String, List<String>> categories;

  /**
   * Creates an empty list of features.
   *
   * @param categories for each feature name, the category texts; the index of a text is the number
   *     of the category
   */
  CatBoostFeatures(EnsembleLimits limits, Map<String, List<String>> categories) {
    this.limits = limits;
    this.categories = categories;
  }

  /** Returns the highest number of a float feature plus 1. */
  int floats() {
    return floats.size();
  }

  /** Returns the highest number of a categorical feature plus 1. */
  int categorical() {
    return categorical.size();
  }

  /**
   * Adds the next float feature.
   *
   * @param offset the byte offset in the file
   * @param number the number among all float features; larger than in earlier calls
   * @param name the name; if empty, the number of the column becomes the name
   * @param column the column in the training data (flat index), or {@link #NO_COLUMN}
   * @param nanIsLargest whether NaN is above every border; otherwise, it is above none
   */
  void addFloat(long offset, int number, String name, int column, boolean nanIsLargest) {
    int place = column == NO_COLUMN ? number : column;
    add(floats, number, column, new Feature(place, offset, name, nanIsLargest));
  }

  /**
   * Adds the next categorical feature.
   *
   * @param offset the byte offset in the file
   * @param number the number among all categorical features; larger than in earlier calls
   * @param name the name; if empty, the number of the column becomes the name
   * @param column the column in the training data (flat index), or {@link #NO_COLUMN}
   */
  void addCategorical(long offset, int number, String name, int column) {
    int place = column == NO_COLUMN ? number : column;
    add(categorical, number, column, new Feature(place, offset, name, false));
  }

  private void add(List<Feature> features, int number, int column, Feature feature) {
    if (number < features.size()) {
      throw InvalidModelException.at(
          feature.offset,
          "features must be in ascending order: found number "
              + number
              + ", expected "
              + features.size()
              + " or more");
    }
    if (column < NO_COLUMN) {
      throw InvalidModelException.at(
          feature.offset, "flat index " + column + ", expected 0 or more");
    }
    limits.check("features", number + 1L, Limit.FEATURES, feature.offset);
    limits.check("features", column + 1L, Limit.FEATURES, feature.offset);
    while (features.size() < number) {
      features.add(LEFT_OUT);
    }
    features.add(feature);
  }

  /**
   * Returns the column of the training data that contains a feature.
   *
   * @param feature the number of a float feature, or the complement {@code ~number} for a
   *     categorical feature
   * @throws InvalidModelException if there is no feature with this number
   */
  int column(int feature) {
    List<Feature> features = feature < 0 ? categorical : floats;
    int number = feature < 0 ? ~feature : feature;
    String what = (feature < 0 ? "categorical" : "float") + " feature " + number;
    if (number >= features.size()) {
      throw new InvalidModelException(what + ", expected 0.." + (features.size() - 1));
    }
    if (features.get(number).isLeftOut()) {
      throw new InvalidModelException(what + " is not among the model's features");
    }
    return features.get(number).column;
  }

  /**
   * Returns the category texts by column, for categorical features whose texts the caller gives.
   *
   * @throws InvalidModelException if the caller gives texts for a feature that is not categorical
   */
  private Map<Integer, List<String>> texts() {
    List<String> names = names();
    Set<String> unknown = new TreeSet<>(categories.keySet());
    Map<Integer, List<String>> texts = new HashMap<>();
    for (Feature feature : categorical) {
      if (!feature.isLeftOut() && unknown.remove(names.get(feature.column))) {
        String name = names.get(feature.column);
        texts.put(feature.column, Objects.requireNonNull(categories.get(name)));
      }
    }
    if (!unknown.isEmpty()) {
      throw new InvalidModelException(
          "categories: the model has no categorical feature ["
              + InvalidModelException.shown(unknown.iterator().next())
              + "]");
    }
    return texts;
  }

  /** Returns the category texts that the caller gives, by column, as {@link CategoryCodes}. */
  Map<Integer, CategoryCodes> codes() {
    Map<Integer, CategoryCodes> codes = new HashMap<>();
    texts().forEach((column, texts) -> codes.put(column, CategoryCodes.ofTexts(texts)));
    return codes;
  }

  /** Returns the category texts that the caller gives, by column, as {@link CategoryList}. */
  Map<Integer, CategoryList> lists() {
    Map<Integer, CategoryList> lists = new HashMap<>();
    texts().forEach((column, texts) -> lists.put(column, CategoryList.ofTexts(texts)));
    return lists;
  }

  boolean nanIsLargest(int feature) {
    return floats.get(feature).nanIsLargest;
  }

  /** Returns the names of all features in the order of their columns. */
  List<String> names() {
    List<Feature> all = new ArrayList<>(floats);
    all.addAll(categorical);
    all.removeIf(Feature::isLeftOut);
    String[] names = new String[1 + all.stream().mapToInt(Feature::column).max().orElse(-1)];
    for (Feature feature : all) {
      int column = feature.column;
      if (names[column] != null) {
        throw InvalidModelException.at(
            feature.offset, "flat index " + column + ": two features have this index");
      }
      names[column] = feature.name.isEmpty() ? String.valueOf(column) : feature.name;
    }
    Set<String> taken = new HashSet<>(Arrays.asList(names));
    for (int column = 0; column < names.length; column++) {
      if (names[column] == null) {
        String name = String.valueOf(column);
        while (!taken.add(name)) {
          name = "column " + name;
        }
        names[column] = name;
      }
    }
    return Arrays.asList(names);
  }
}
