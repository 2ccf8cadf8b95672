package io.quickscorer.plugin.feature;

import java.util.List;
import java.util.Map;

/**
 * An ordered list of features, as a user defined it. Immutable.
 *
 * @param name the set's name
 * @param features the features, their names unique
 * @param defaultParams values for parameters a request leaves out
 */
public record FeatureSet(
    String name, List<FeatureDefinition> features, Map<String, Object> defaultParams) {
  public FeatureSet {
    features = List.copyOf(features);
    defaultParams = Map.copyOf(defaultParams);
  }
}
