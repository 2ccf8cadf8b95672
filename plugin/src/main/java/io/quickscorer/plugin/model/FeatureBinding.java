// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
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
 * Which feature of the set each feature of a model is.
 *
 * @param columns for each feature of the ensemble its place in the feature set; -1 where the model
 *     does not use it and the set lacks it
 * @param used names of the set's features that the model uses, in the model's order
 */
public record FeatureBinding(int[] columns, List<String> used) {
  private static final int SHOWN = 128;

  /**
   * Binds by the feature map where it names a feature, else by equal names.
   *
   * @param featureMap the set's feature name for a model's feature name
   * @throws IllegalArgumentException naming the feature that is unknown or not bound
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
              "model feature "
                  + f
                  + " ["
                  + shown(name)
                  + "], "
                  + (ensemble.linear() == null
                      ? "which tree " + firstTree[f] + " tests"
                      : "which has a weight")
                  + ", is not in feature set ["
                  + set.name()
                  + "]: add it there, name its counterpart in feature_map, or bind all features by"
                  + " position with bind [position]");
        }
        used.add(bound);
      }
    }
    return new FeatureBinding(columns, List.copyOf(used));
  }

  /**
   * Returns the feature map that binds each of a model's features to the feature of the set at the
   * same place.
   *
   * @throws IllegalArgumentException if the counts differ; the message has both
   */
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

  /** Returns a name from outside, shortened to a line of harmless characters. */
  public static String shown(String name) {
    return shown(name, SHOWN);
  }

  /** Returns text of a file for people: at most {@code length} characters, on one line. */
  public static String shown(String text, int length) {
    String cut = text.length() > length ? text.substring(0, length) + "…" : text;
    // No UTF-8 can hold half of a surrogate pair, nor can an answer.
    return cut.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
  }
}
