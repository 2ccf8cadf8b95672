// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.Tree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The categories of a data frame's columns, which LightGBM's Python package appends to its files as
 * {@code pandas_categorical}: one list per column of pandas' categorical type, in the columns'
 * order and without their names. Its {@code predict} replaces a column's values by their places in
 * the list, and all others by missing. The library itself ignores the lists.
 *
 * <p>The lists belong to the features that the file says are categorical, if there are as many of
 * these and each list covers its feature's splits. If they do not fit, or cannot be read, a note
 * says so and there are no lists; the model still scores codes.
 */
final class LightGbmCategories {
  private static final String WITHOUT = "; the file's category lists are not used";

  private final List<CategoryList> lists = new ArrayList<>();

  /** Features that the parameters name as categorical. */
  private BitSet named = new BitSet();

  /** Features whose values in training are listed one by one. */
  private final BitSet listed = new BitSet();

  private final Map<Integer, Integer> largest = new HashMap<>();

  private CategoryList.Builder list = new CategoryList.Builder();
  private @Nullable String unreadable;

  /** Sets the features of the parameter {@code categorical_feature}. */
  void named(BitSet features) {
    named = features;
  }

  /**
   * Adds a feature whose values {@code feature_infos} lists.
   *
   * @param largest of the values, or more than any list has
   */
  void listed(int feature, int largest) {
    listed.set(feature);
    this.largest.put(feature, largest);
  }

  void text(String value) {
    attempt(() -> list.add(value));
  }

  void number(double value) {
    // Beyond it a double is not the integer that the file has.
    if (Math.abs(value) >= 1L << 53) {
      unreadable("a number has more than 53 bits");
    }
    list.add(value);
  }

  void bool(boolean value) {
    list.add(value ? 1 : 0);
  }

  /** Ends the current list. */
  void endList() {
    attempt(() -> lists.add(list.build()));
    list = new CategoryList.Builder();
  }

  /** Returns the number of lists. */
  int count() {
    return lists.size();
  }

  private void attempt(Runnable step) {
    try {
      step.run();
    } catch (InvalidModelException e) {
      unreadable(String.valueOf(e.getMessage()));
    }
  }

  /** Sets the reason why there are no lists; the first one counts. */
  void unreadable(String why) {
    unreadable = unreadable == null ? why : unreadable;
  }

  /** Returns why the lists can't be used, or null. */
  private @Nullable String problem(BitSet features, List<Tree> trees) {
    if (unreadable != null) {
      return "pandas_categorical: " + unreadable;
    }
    if (features.cardinality() != lists.size()) {
      return "pandas_categorical: "
          + lists.size()
          + " lists, the file has "
          + features.cardinality()
          + " categorical features";
    }
    Map<Integer, CategoryList> of = byFeature(features);
    for (Map.Entry<Integer, CategoryList> each : of.entrySet()) {
      if (largest.getOrDefault(each.getKey(), -1) >= each.getValue().size()) {
        return "pandas_categorical: feature "
            + each.getKey()
            + " had values beyond its list of "
            + each.getValue().size();
      }
    }
    for (Tree tree : trees) {
      for (int split = 0; split < tree.splits(); split++) {
        CategoryList categories = of.get(tree.feature(split));
        CategorySet set = tree.categories(split);
        if (categories != null && (set == null || exceeds(set, categories.size()))) {
          return "pandas_categorical: the list of feature "
              + tree.feature(split)
              + " has "
              + categories.size()
              + " values, which do not fit its splits";
        }
      }
    }
    return null;
  }

  private static boolean exceeds(CategorySet set, int size) {
    int[] members = set.categories();
    return members.length > 0 && members[members.length - 1] >= size;
  }

  private Map<Integer, CategoryList> byFeature(BitSet features) {
    Map<Integer, CategoryList> of = new HashMap<>();
    int next = 0;
    for (int feature = features.nextSetBit(0);
        feature >= 0 && next < lists.size();
        feature = features.nextSetBit(feature + 1)) {
      of.put(feature, lists.get(next++));
    }
    of.values().removeIf(list -> list.size() == 0);
    return of;
  }

  /**
   * Returns the lists by feature, none if they can't be used.
   *
   * @param trees all trees that are scored
   * @param notes to which the reason is added
   */
  Map<Integer, CategoryList> of(List<Tree> trees, List<String> notes) {
    if (lists.isEmpty() && unreadable == null) {
      return Map.of();
    }
    BitSet categorical = named.isEmpty() ? listed : named;
    String problem = problem(categorical, trees);
    if (problem != null) {
      notes.add(problem + WITHOUT);
      return Map.of();
    }
    return byFeature(categorical);
  }
}
