// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.CategoryCodes;
import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.common.FeatureNames;
import io.quickscorer.reader.input.IntList;
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
 * features; each feature also has a <em>flat index</em>, its column in the training data. The
 * ensemble has one feature per column, in the order of the columns. If CatBoost removed unused
 * features ({@code drop_unused_features}), some numbers and columns are missing in the file; a
 * missing column becomes a feature that no split tests.
 */
final class CatBoostFeatures {
  /** The column of a feature for which the file has no flat index, as in early versions. */
  static final int NO_COLUMN = -1;

  /** The element of the list of columns for a number that no feature in the file has. */
  private static final int LEFT_OUT = -2;

  private final EnsembleLimits limits;
  private final IntList floats = new IntList();
  private final IntList floatOffsets = new IntList();
  private final IntList nanRight = new IntList();
  private final List<String> floatNames = new ArrayList<>();
  private final IntList categorical = new IntList();
  private final IntList categoricalOffsets = new IntList();
  private final List<String> categoricalNames = new ArrayList<>();

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

  /** Returns the highest index of a float feature, plus 1. */
  int floats() {
    return floats.size();
  }

  /** Returns the largest number of a categorical feature plus 1. */
  int categorical() {
    return categorical.size();
  }

  /**
   * Adds the next float feature.
   *
   * @param offset the byte offset in the file
   * @param number the number among float features, larger than in all earlier calls
   * @param name the name; if empty, the number of the column becomes the name
   * @param column the flat index, or {@link #NO_COLUMN}
   * @param nanIsLargest whether NaN is above every border; otherwise, it is above none
   */
  void addFloat(long offset, int number, String name, int column, boolean nanIsLargest) {
    add(floats, floatOffsets, floatNames, offset, number, name, column);
    while (nanRight.size() < number) {
      nanRight.add(0);
    }
    nanRight.add(nanIsLargest ? 1 : 0);
  }

  /** Adds the next categorical feature. The parameters are those of {@link #addFloat}. */
  void addCategorical(long offset, int number, String name, int column) {
    add(categorical, categoricalOffsets, categoricalNames, offset, number, name, column);
  }

  private void add(
      IntList columns,
      IntList offsets,
      List<String> names,
      long offset,
      int number,
      String name,
      int column) {
    if (number < columns.size()) {
      throw InvalidModelException.at(
          offset,
          "features must be in ascending order: found number "
              + number
              + ", expected "
              + columns.size()
              + " or more");
    }
    if (column < NO_COLUMN) {
      throw InvalidModelException.at(offset, "flat index " + column + ", expected 0 or more");
    }
    try {
      limits.check("features", number + 1L, Limit.FEATURES);
      limits.check("features", column + 1L, Limit.FEATURES);
    } catch (InvalidModelException e) {
      throw e.at(offset);
    }
    while (columns.size() < number) {
      columns.add(LEFT_OUT);
      offsets.add(0);
      names.add("");
    }
    columns.add(column == NO_COLUMN ? number : column);
    offsets.add((int) offset);
    names.add(name);
  }

  /**
   * Returns the column of the training data that contains a feature.
   *
   * @param feature the number of a float feature, or the complement {@code ~number} for a
   *     categorical feature
   * @throws InvalidModelException if there is no feature with this number
   */
  int column(int feature) {
    IntList columns = feature < 0 ? categorical : floats;
    int number = feature < 0 ? ~feature : feature;
    if (number >= columns.size()) {
      throw new InvalidModelException(
          (feature < 0 ? "categorical" : "float")
              + " feature "
              + number
              + ", expected 0.."
              + (columns.size() - 1));
    }
    if (columns.get(number) == LEFT_OUT) {
      throw new InvalidModelException(
          (feature < 0 ? "categorical" : "float")
              + " feature "
              + number
              + " is not among the model's features");
    }
    return columns.get(number);
  }

  /**
   * Returns the category texts by column, for categorical features whose texts are given.
   *
   * @throws InvalidModelException if texts are given for a feature that is not categorical
   */
  Map<Integer, CategoryCodes> codes() {
    List<String> names = names();
    Map<Integer, CategoryCodes> codes = new HashMap<>();
    for (int i = 0; i < categorical.size(); i++) {
      int column = categorical.get(i);
      List<String> texts = column == LEFT_OUT ? null : categories.get(names.get(column));
      if (texts != null) {
        codes.put(column, CategoryCodes.ofTexts(texts));
      }
    }
    if (codes.size() < categories.size()) {
      Set<String> unknown = new TreeSet<>(categories.keySet());
      codes.keySet().forEach(column -> unknown.remove(names.get(column)));
      throw new InvalidModelException(
          "categories: the model has no categorical feature ["
              + FeatureNames.shown(unknown.iterator().next())
              + "]");
    }
    return codes;
  }

  /**
   * Returns the lists of category texts by column, for categorical features whose texts are given.
   */
  Map<Integer, CategoryList> lists() {
    List<String> names = names();
    Map<Integer, CategoryList> lists = new HashMap<>();
    codes()
        .keySet()
        .forEach(
            column ->
                lists.put(
                    column,
                    CategoryList.ofTexts(
                        Objects.requireNonNull(categories.get(names.get(column))))));
    return lists;
  }

  boolean nanIsLargest(int feature) {
    return nanRight.get(feature) == 1;
  }

  /** Returns the names of all features in the order of their columns. */
  List<String> names() {
    int last = -1;
    for (IntList columns : List.of(floats, categorical)) {
      for (int i = 0; i < columns.size(); i++) {
        last = Math.max(last, columns.get(i));
      }
    }
    String[] names = new String[last + 1];
    place(floats, floatOffsets, floatNames, names);
    place(categorical, categoricalOffsets, categoricalNames, names);
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

  private static void place(IntList columns, IntList offsets, List<String> given, String[] names) {
    for (int i = 0; i < columns.size(); i++) {
      int column = columns.get(i);
      if (column == LEFT_OUT) {
        continue;
      }
      if (names[column] != null) {
        throw InvalidModelException.at(
            offsets.get(i), "flat index " + column + ": two features have this index");
      }
      names[column] = given.get(i).isEmpty() ? String.valueOf(column) : given.get(i);
    }
  }
}
