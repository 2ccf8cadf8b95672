// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.plugin.door.Texts;
import io.quickscorer.plugin.feature.FeatureSet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * The mapping from a model's features to the features of its feature set.
 *
 * @param columns for each feature of the model, in the model's order, its index in the set; -1 if
 *     the set lacks it and the model does not use it
 * @param used names of the set's features that the model uses, in the model's order
 */
public record FeatureBinding(int[] columns, List<String> used) {
  private static final int SHOWN = 128;

  /**
   * Maps each feature of a model to a feature of a feature set: to the feature that {@code
   * featureMap} names, or else to the feature with an equal name.
   *
   * @param featureMap maps a feature's name in the model to its name in the set; may leave out
   *     features with equal names
   * @throws IllegalArgumentException if a name in the map is unknown, or a used feature is not in
   *     the set; the message names it
   */
  public static FeatureBinding bind(
      TreeEnsemble ensemble, FeatureSet set, Map<String, String> featureMap) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < set.features().size(); i++) {
      places.put(set.features().get(i).name(), i);
    }
    checkMap(ensemble, set, featureMap, places);
    int[] firstTree = firstTreeTesting(ensemble);
    int[] columns = new int[ensemble.featureNames().size()];
    Set<String> used = new LinkedHashSet<>();
    for (int f = 0; f < columns.length; f++) {
      String name = ensemble.featureNames().get(f);
      String bound = featureMap.getOrDefault(name, name);
      columns[f] = places.getOrDefault(bound, -1);
      if (ensemble.uses(f)) {
        if (columns[f] < 0) {
          throw new IllegalArgumentException(
              "the model's feature number "
                  + f
                  + ", ["
                  + shown(name)
                  + "], which "
                  + (ensemble.linear() == null ? "tree " + firstTree[f] + " tests" : "has a weight")
                  + ", is not in feature set ["
                  + set.name()
                  + "]; add the feature to the set, map it to a feature of the set with"
                  + " [feature_map], or set [bind] to [position]");
        }
        used.add(bound);
      }
    }
    return new FeatureBinding(columns, List.copyOf(used));
  }

  /** Returns a feature map from the model's i-th feature to the set's i-th feature, for each i. */
  public static Map<String, String> byPosition(TreeEnsemble ensemble, FeatureSet set) {
    List<String> names = ensemble.featureNames();
    if (names.size() != set.features().size()) {
      throw new IllegalArgumentException(
          "bind [position]: the model has "
              + names.size()
              + " features, but feature set ["
              + set.name()
              + "] has "
              + set.features().size());
    }
    Map<String, String> map = new TreeMap<>();
    for (int f = 0; f < names.size(); f++) {
      map.put(names.get(f), set.features().get(f).name());
    }
    return map;
  }

  private static void checkMap(
      TreeEnsemble ensemble,
      FeatureSet set,
      Map<String, String> featureMap,
      Map<String, Integer> places) {
    Set<String> known = Set.copyOf(ensemble.featureNames());
    featureMap.forEach(
        (from, to) -> {
          if (!known.contains(from)) {
            throw new IllegalArgumentException(
                "feature_map: the model has no feature [" + shown(from) + "]");
          }
          if (!places.containsKey(to)) {
            throw new IllegalArgumentException(
                "feature_map: feature set [" + set.name() + "] has no feature [" + shown(to) + "]");
          }
        });
  }

  private static int[] firstTreeTesting(TreeEnsemble ensemble) {
    int[] first = new int[ensemble.featureNames().size()];
    Arrays.fill(first, -1);
    for (int t = ensemble.trees().size() - 1; t >= 0; t--) {
      Tree tree = ensemble.trees().get(t);
      for (int split = 0; split < tree.splits(); split++) {
        int feature = tree.feature(split);
        if (feature < first.length) {
          first[feature] = t;
        } else {
          final int number = t;
          Objects.requireNonNull(ensemble.derived()).inputs(feature - first.length).stream()
              .forEach(input -> first[input] = number);
        }
      }
    }
    return first;
  }

  /** Returns a user's text, shortened for a message: at most 128 characters, on one line. */
  public static String shown(String name) {
    return Texts.shown(name, SHOWN);
  }
}
