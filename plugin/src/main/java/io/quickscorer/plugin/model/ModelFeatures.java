// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.feature.FeatureSet;
import java.util.Set;

/**
 * A model's features, for the node that coordinates a search.
 *
 * @param features the model's own copy of the whole feature set
 * @param used the names of the features that the model uses; only these are computed for scoring
 */
public record ModelFeatures(FeatureSet features, Set<String> used) {
  public ModelFeatures {
    used = Set.copyOf(used);
  }
}
