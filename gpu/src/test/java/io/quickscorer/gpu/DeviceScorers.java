// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;

/** Compiles ensembles for a device, for tests that look neither at progress nor at timed plans. */
final class DeviceScorers {
  private DeviceScorers() {}

  static GpuQuickScorer quick(TreeEnsemble ensemble, GpuDevice device) {
    return GpuQuickScorer.compile(ensemble, device, CompileProgress.NONE);
  }

  static GpuTraversalScorer traversal(TreeEnsemble ensemble, GpuDevice device) {
    return traversal(ensemble, device, CompileProgress.NONE);
  }

  static GpuTraversalScorer traversal(
      TreeEnsemble ensemble, GpuDevice device, CompileProgress progress) {
    return GpuTraversalScorer.compile(ensemble, device, WalkCosts::cheapest, progress);
  }
}
