// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Accelerators;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerProvider;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;

/** Provides the engines {@link Algorithm#GPU} and {@link Algorithm#GPU_QS}. */
public final class GpuProvider implements ScorerProvider {
  private static final Logger LOG = System.getLogger(GpuProvider.class.getName());

  @Override
  public List<Algorithm> algorithms() {
    return List.of(Algorithm.GPU_QS, Algorithm.GPU);
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
    return algorithm == Algorithm.GPU
        ? OffloadScorer.compile(
            ensemble, algorithm, excluded, GpuTraversalScorer::compileTimed, progress)
        : OffloadScorer.compile(ensemble, algorithm, excluded, GpuQuickScorer::compile, progress);
  }

  @Override
  public EnsembleScorer accelerate(EnsembleScorer cpu, CompileProgress progress) {
    try {
      return OffloadScorer.byCost(
          GpuRuntime.get()
              .compile(cpu.ensemble(), Algorithm.GPU, GpuTraversalScorer::compileTimed, progress),
          cpu);
    } catch (UnsupportedEnsembleException e) {
      LOG.log(
          Level.INFO,
          "A model is scored on the CPU, because the GPU does not support it: {0}",
          e.getMessage());
      return cpu;
    }
  }

  @Override
  public Accelerators accelerators() {
    return GpuRuntime.found();
  }
}
