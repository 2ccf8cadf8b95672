// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.reader.input.DocumentReader;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * The categories of a data frame's columns, which LightGBM's Python package appends to its files as
 * {@code pandas_categorical}. There is one list for each column of pandas' categorical type, in the
 * order of the columns and without their names. The package's {@code predict} replaces each value
 * of a column by its index in the list, and treats other values as missing. The LightGBM library
 * itself ignores the lists.
 *
 * <p>The file tells which features are categorical, and the lists are assigned to these features.
 * For this, there must be one list per categorical feature, and a list must have all categories of
 * the splits on its feature. If the lists do not fit or cannot be read, they are not used; a note
 * contains the reason, and the model can still score codes.
 */
final class LightGbmCategories {
  private static final String WITHOUT = "; the file's category lists are not used";

  private final List<CategoryList> lists = new ArrayList<>();

  /** The features that the parameter {@code categorical_feature} contains. */
  private BitSet named = new BitSet();

  /** The features for which {@code feature_infos} lists all values in the training data. */
  private final BitSet listed = new BitSet();

  /** For each feature in {@link #listed}, the largest of its listed values. */
  private final Map<Integer, Integer> largest = new HashMap<>();

  private @Nullable String unreadable;

  /** Sets the features that the parameter {@code categorical_feature} contains. */
  void named(BitSet features) {
    named = features;
  }

  /**
   * Records a feature whose training values are all listed in {@code feature_infos}.
   *
   * @param largest the largest of these values; at most {@link Integer#MAX_VALUE}
   */
  void listed(int feature, int largest) {
    listed.set(feature);
    this.largest.put(feature, largest);
  }

  /** Reads the lists: the current value must be null or an array of lists. */
  void read(DocumentReader reader, String counted, EnsembleLimits limits) {
    if (reader.token() == JsonToken.VALUE_NULL) {
      return;
    }
    String place = "pandas_categorical";
    for (JsonToken _ : reader.elements(place)) {
      reader.check(counted, lists.size() + 1L, Limit.FEATURES, limits);
      CategoryList.Builder list = new CategoryList.Builder();
      for (JsonToken value : reader.elements(place)) {
        switch (value) {
          case VALUE_STRING -> {
            String text = reader.string(place);
            attempt(() -> list.add(text));
          }
          case VALUE_NUMBER_INT -> list.add(reader.doubleValue(place));
          case VALUE_TRUE, VALUE_FALSE -> list.add(value == JsonToken.VALUE_TRUE ? 1 : 0);
          default -> unreadable("found a category that is neither a text nor a number");
        }
      }
      attempt(() -> lists.add(list.build()));
    }
  }

  private void attempt(Runnable step) {
    try {
      step.run();
    } catch (InvalidModelException e) {
      unreadable(String.valueOf(e.getMessage()));
    }
  }

  /** Sets the reason why the lists cannot be read. Later calls have no effect. */
  void unreadable(String reason) {
    unreadable = unreadable == null ? reason : unreadable;
  }

  /** Returns the reason why the category lists cannot be used; null if they can. */
  private @Nullable String problem(BitSet features, List<Tree> trees) {
    if (unreadable != null) {
      return "pandas_categorical: " + unreadable;
    }
    if (features.cardinality() != lists.size()) {
      return "pandas_categorical: "
          + lists.size()
          + " lists, but the file has "
          + features.cardinality()
          + " categorical features";
    }
    Map<Integer, CategoryList> lists = byFeature(features);
    for (Map.Entry<Integer, CategoryList> each : lists.entrySet()) {
      if (largest.getOrDefault(each.getKey(), -1) >= each.getValue().size()) {
        return "pandas_categorical: feature "
            + each.getKey()
            + " had values that are not in its list of length "
            + each.getValue().size();
      }
    }
    for (Tree tree : trees) {
      for (int split = 0; split < tree.splits(); split++) {
        CategoryList categories = lists.get(tree.feature(split));
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
    Map<Integer, CategoryList> result = new HashMap<>();
    int next = 0;
    for (int feature = features.nextSetBit(0);
        feature >= 0 && next < lists.size();
        feature = features.nextSetBit(feature + 1)) {
      result.put(feature, lists.get(next++));
    }
    result.values().removeIf(list -> list.size() == 0);
    return result;
  }

  /**
   * Returns the category lists by feature; an empty map if they cannot be used.
   *
   * @param trees all trees that are scored
   * @param notes receives the reason why the lists cannot be used
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
