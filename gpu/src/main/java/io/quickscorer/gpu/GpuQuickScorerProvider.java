// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerProvider;
import java.util.List;
import java.util.Set;

/** Provides {@link Algorithm#GPU_QS}. */
public final class GpuQuickScorerProvider implements ScorerProvider {
  @Override
  public List<Algorithm> algorithms() {
    return List.of(Algorithm.GPU_QS);
  }

  @Override
  public String unavailable() {
    return GpuRuntime.get().unavailable();
  }

  @Override
  public EnsembleScorer compile(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      Set<Algorithm> excluded,
      CompileProgress progress) {
    return OffloadScorer.compile(ensemble, algorithm, excluded, GpuQuickScorer::compile, progress);
  }
}
