// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * The options of a training.
 *
 * @param trees maximum number of trees
 * @param patience number of trees without improvement on the validation rows after which the
 *     training ends
 * @param parameters the trainer's own parameters, by name
 * @param categorical the names of the features whose values are codes of categories
 */
public record TrainingOptions(
    int trees, int patience, Map<String, String> parameters, List<String> categorical) {
  /** The options that the demo uses: 100 trees, and the trainer's default parameters. */
  public static final TrainingOptions PLAIN = new TrainingOptions(100, 100, Map.of());

  /**
   * The names of the parameter that lists categorical features. They are LightGBM's names, accepted
   * for all trainers.
   */
  private static final List<String> CATEGORICAL =
      List.of(
          "categorical_feature",
          "cat_feature",
          "categorical_column",
          "cat_column",
          "categorical_features");

  private static final String BY_NAME = "name:";

  public TrainingOptions {
    parameters = Map.copyOf(parameters);
    categorical = List.copyOf(categorical);
  }

  /** Creates options without categorical features. */
  public TrainingOptions(int trees, int patience, Map<String, String> parameters) {
    this(trees, patience, parameters, List.of());
  }

  /**
   * Returns a copy with the categorical features. The parameter {@code categorical_feature} lists
   * them by column numbers, or by names after {@code name:}. Without the parameter, a feature is
   * categorical if the feature set maps its values by {@code categories} or {@code hash} and does
   * not normalise them.
   *
   * @param names the names of the features in their order
   * @param features the definitions of the features in the cluster; a missing node if unknown
   * @throws IllegalStateException if the parameter lists a feature that does not exist
   */
  public TrainingOptions of(List<String> names, JsonNode features) {
    Map<String, String> others = new LinkedHashMap<>(parameters);
    String given = null;
    for (String name : CATEGORICAL) {
      String value = others.remove(name);
      given = value == null ? given : value;
    }
    return new TrainingOptions(
        trees, patience, others, given == null ? mapped(features) : named(given, names));
  }

  private static List<String> mapped(JsonNode features) {
    return features
        .valueStream()
        .filter(feature -> feature.has("categories") || feature.has("hash"))
        .filter(feature -> !feature.has("normalize"))
        .map(feature -> feature.path("name").asString(""))
        .toList();
  }

  private static List<String> named(String given, List<String> names) {
    boolean byName = given.startsWith(BY_NAME);
    List<String> found = new ArrayList<>();
    for (String part : given.substring(byName ? BY_NAME.length() : 0).split(",", -1)) {
      String feature = part.strip();
      if (byName && names.contains(feature)) {
        found.add(feature);
      } else if (!byName
          && feature.matches("[0-9]{1,6}")
          && Integer.parseInt(feature) < names.size()) {
        found.add(names.get(Integer.parseInt(feature)));
      } else if (!feature.isEmpty()) {
        Map<String, String> known = new TreeMap<>();
        names.forEach(name -> known.put(name, name));
        throw new IllegalStateException(
            "-P categorical_feature: no feature ["
                + feature
                + "]; expected names of features, optionally after name:, or their numbers from 0"
                + " to "
                + (names.size() - 1)
                + NearNames.of(feature, known));
      }
    }
    return found;
  }

  /** Returns the indices in {@code names} of the categorical features. */
  List<Integer> columns(List<String> names) {
    return categorical.stream().map(names::indexOf).toList();
  }
}
