// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.EnsembleScorer;

/**
 * A compiled model, ready to score. Immutable.
 *
 * @param features the model's own copy of the whole feature set
 * @param columns for each of the model's features, its index in {@link #features}; -1 if the set
 *     lacks it and the model does not use it
 * @param scorer the compiled trees, which score a matrix with one column per feature of the model
 */
public record CompiledModel(ModelId id, FeatureSet features, int[] columns, EnsembleScorer scorer) {
  CompiledModel with(EnsembleScorer other) {
    return new CompiledModel(id, features, columns, other);
  }

  public OutputTransform transform() {
    return scorer.ensemble().transform();
  }
}
