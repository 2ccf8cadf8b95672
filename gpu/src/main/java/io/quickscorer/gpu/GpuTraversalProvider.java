package io.quickscorer.gpu;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerProvider;

/** Provides {@link Algorithm#GPU}. */
public final class GpuTraversalProvider implements ScorerProvider {
  @Override
  public Algorithm algorithm() {
    return Algorithm.GPU;
  }

  @Override
  public String unavailable() {
    return GpuRuntime.get().unavailable();
  }

  @Override
  public EnsembleScorer compile(TreeEnsemble ensemble) {
    return OffloadScorer.alwaysOnDevice(
        GpuRuntime.get().compile(ensemble, algorithm(), GpuTraversalScorer::compile));
  }
}
