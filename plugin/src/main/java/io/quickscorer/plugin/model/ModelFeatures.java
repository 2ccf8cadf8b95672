// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.feature.FeatureSet;
import java.util.Set;

/**
 * The data that the coordinating node needs to bind a model's features.
 *
 * @param features the model's own copy of the whole feature set
 * @param used the names of the features that the model uses; only these are computed for scoring
 */
public record ModelFeatures(FeatureSet features, Set<String> used) {
  public ModelFeatures {
    used = Set.copyOf(used);
  }
}
