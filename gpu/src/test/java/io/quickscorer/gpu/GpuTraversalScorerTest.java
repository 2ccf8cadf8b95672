// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.ensemble.TreeEnsemble;

final class GpuTraversalScorerTest extends DeviceContractTest {
  @Override
  DeviceScorer compile(TreeEnsemble ensemble, GpuDevice device) {
    return DeviceScorers.traversal(ensemble, device);
  }
}
