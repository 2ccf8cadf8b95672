// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.CategoryCodes;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.common.FeatureNames;
import io.quickscorer.reader.input.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The columns of CatBoost's training data: it numbers float features from 0 and categorical ones
 * from 0, and each has besides a <em>flat index</em>, its column among all. The ensemble's features
 * are in the order of the columns.
 */
final class CatBoostFeatures {
  /** The column of a feature of which the file says none, as early versions wrote them. */
  static final int NO_COLUMN = -1;

  /** Said of numbers that are not consecutive. */
  static final String LEFT_OUT =
      " (a model without its unused features can't be read; save it before drop_unused_features)";

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
   * @param categories by feature, the texts that its numbers stand for
   */
  CatBoostFeatures(EnsembleLimits limits, Map<String, List<String>> categories) {
    this.limits = limits;
    this.categories = categories;
  }

  int floats() {
    return floats.size();
  }

  int categorical() {
    return categorical.size();
  }

  /**
   * Adds the next float feature.
   *
   * @param offset where it stands in the file
   * @param name if empty, the column's number is its name
   * @param column the flat index, or {@link #NO_COLUMN}
   * @param nanIsLargest whether NaN counts as greater than every border; else it is greater than
   *     none
   */
  void addFloat(long offset, String name, int column, boolean nanIsLargest) {
    limit(offset);
    floatOffsets.add((int) offset);
    add(floats, floatNames, name, column);
    nanRight.add(nanIsLargest ? 1 : 0);
  }

  /** Adds the next categorical feature; the parameters are those of a float one. */
  void addCategorical(long offset, String name, int column) {
    limit(offset);
    categoricalOffsets.add((int) offset);
    add(categorical, categoricalNames, name, column);
  }

  private void limit(long offset) {
    try {
      limits.check("features", floats.size() + categorical.size() + 1L, Limit.FEATURES);
    } catch (InvalidModelException e) {
      throw e.at(offset);
    }
  }

  private static void add(IntList columns, List<String> names, String name, int column) {
    columns.add(column == NO_COLUMN ? columns.size() : column);
    names.add(name);
  }

  /**
   * The column of a feature.
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
    return columns.get(number);
  }

  /**
   * By its column, what the numbers of a categorical feature stand for, where it is not their
   * digits.
   *
   * @throws InvalidModelException if there are texts of a feature that is not categorical
   */
  Map<Integer, CategoryCodes> codes() {
    List<String> names = names();
    Map<Integer, CategoryCodes> codes = new HashMap<>();
    for (int i = 0; i < categorical.size(); i++) {
      int column = categorical.get(i);
      List<String> texts = categories.get(names.get(column));
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

  boolean nanIsLargest(int feature) {
    return nanRight.get(feature) == 1;
  }

  /** All features' names in the order of their columns. */
  List<String> names() {
    String[] names = new String[floats.size() + categorical.size()];
    place(floats, floatOffsets, floatNames, names);
    place(categorical, categoricalOffsets, categoricalNames, names);
    return Arrays.asList(names);
  }

  private static void place(IntList columns, IntList offsets, List<String> of, String[] names) {
    for (int i = 0; i < columns.size(); i++) {
      int column = columns.get(i);
      if (column < 0 || column >= names.length || names[column] != null) {
        throw InvalidModelException.at(
            offsets.get(i),
            "flat index "
                + column
                + ", expected each of 0.."
                + (names.length - 1)
                + " once (text, embedding and left out features are not supported)");
      }
      names[column] = of.get(i).isEmpty() ? String.valueOf(column) : of.get(i);
    }
  }
}
