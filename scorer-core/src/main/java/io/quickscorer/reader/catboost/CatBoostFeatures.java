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
 * The columns of CatBoost's training data: float features are numbered from 0 and categorical ones
 * from 0, and each also has a <em>flat index</em>, its column among all. The ensemble's features
 * are in the order of the columns. A model without its unused features ({@code
 * drop_unused_features}) lacks numbers and columns; these columns are features that no split tests.
 */
final class CatBoostFeatures {
  /** The column of a feature without one in the file, as in early versions. */
  static final int NO_COLUMN = -1;

  /** The column of a number that no feature has. */
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
   * @param categories for each feature, the category texts by their numbers
   */
  CatBoostFeatures(EnsembleLimits limits, Map<String, List<String>> categories) {
    this.limits = limits;
    this.categories = categories;
  }

  /** Returns one more than the largest number of a float feature. */
  int floats() {
    return floats.size();
  }

  /** Returns one more than the largest number of a categorical feature. */
  int categorical() {
    return categorical.size();
  }

  /**
   * Adds the next float feature.
   *
   * @param offset in the file
   * @param number its number among float features, greater than those before
   * @param name if empty, the column's number is its name
   * @param column the flat index, or {@link #NO_COLUMN}
   * @param nanIsLargest whether NaN counts as greater than every border; else it is greater than
   *     none
   */
  void addFloat(long offset, int number, String name, int column, boolean nanIsLargest) {
    add(floats, floatOffsets, floatNames, offset, number, name, column);
    while (nanRight.size() < number) {
      nanRight.add(0);
    }
    nanRight.add(nanIsLargest ? 1 : 0);
  }

  /** Adds the next categorical feature; the parameters are those of a float one. */
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
          offset, "feature number " + number + ", expected " + columns.size() + " or more");
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
   * Returns the column of a feature.
   *
   * @param feature a float feature's number, or {@code ~} a categorical one's
   * @throws InvalidModelException if there is none of that number
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
   * Returns the categories of numbers, by column, for categorical features whose categories are not
   * digits.
   *
   * @throws InvalidModelException if there are texts of a feature that is not categorical
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
      Set<String> strange = new TreeSet<>(categories.keySet());
      codes.keySet().forEach(column -> strange.remove(names.get(column)));
      throw new InvalidModelException(
          "categories: the model has no categorical feature ["
              + FeatureNames.shown(strange.iterator().next())
              + "]");
    }
    return codes;
  }

  /** Returns the texts of numbers, by column, for categorical features. */
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

  /** Returns all features' names in the order of their columns. */
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

  private static void place(IntList columns, IntList offsets, List<String> of, String[] names) {
    for (int i = 0; i < columns.size(); i++) {
      int column = columns.get(i);
      if (column == LEFT_OUT) {
        continue;
      }
      if (names[column] != null) {
        throw InvalidModelException.at(offsets.get(i), "flat index " + column + ": given twice");
      }
      names[column] = of.get(i).isEmpty() ? String.valueOf(column) : of.get(i);
    }
  }
}
