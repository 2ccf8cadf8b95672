// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.EnsembleScorer;

/**
 * A model compiled, ready to score. Immutable.
 *
 * @param id the pinned version
 * @param features the copy of the feature set that travels inside the model, whole
 * @param columns {@code columns[f]} is the place in {@link #features} of the ensemble's feature f,
 *     or -1 where no split tests it and the feature set lacks it
 * @param scorer the compiled ensemble; its matrix has one column per feature of the ensemble
 */
public record CompiledModel(ModelId id, FeatureSet features, int[] columns, EnsembleScorer scorer) {
  /** Returns this model with another scorer of its ensemble. */
  CompiledModel with(EnsembleScorer other) {
    return new CompiledModel(id, features, columns, other);
  }

  public OutputTransform transform() {
    return scorer.ensemble().transform();
  }
}
