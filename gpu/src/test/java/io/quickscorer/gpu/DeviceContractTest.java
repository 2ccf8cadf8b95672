// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.ScorerContractTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** The contract on emulated devices, whose memory is free again when a test ends. */
abstract class DeviceContractTest extends ScorerContractTest {
  private final List<DeviceScorer> compiled = new ArrayList<>();

  @BeforeAll
  static void standin() {
    Standin.require();
  }

  abstract DeviceScorer compile(TreeEnsemble ensemble, GpuDevice device);

  @Override
  protected final EnsembleScorer compile(TreeEnsemble ensemble) {
    DeviceScorer scorer = compile(ensemble, GpuRuntime.get().next());
    compiled.add(scorer);
    return scorer;
  }

  @Override
  protected boolean stopsWithinBatches() {
    return false;
  }

  // Left to the collector, it would be freed while another test counts the memory in use.
  @AfterEach
  void close() {
    compiled.forEach(DeviceScorer::close);
  }
}
