// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.EnsembleScorer;

/**
 * A compiled model, ready to score. Immutable.
 *
 * @param id the model's name and version
 * @param features the model's own copy of the whole feature set
 * @param columns for each feature of the ensemble, its index in {@link #features}, or -1 if the set
 *     does not have the feature and the model does not use it
 * @param scorer the compiled ensemble; it scores matrices with one column per feature of the
 *     ensemble
 */
public record CompiledModel(ModelId id, FeatureSet features, int[] columns, EnsembleScorer scorer) {
  /** Returns a copy of this model with another scorer of its ensemble. */
  CompiledModel with(EnsembleScorer other) {
    return new CompiledModel(id, features, columns, other);
  }

  public OutputTransform transform() {
    return scorer.ensemble().transform();
  }
}
