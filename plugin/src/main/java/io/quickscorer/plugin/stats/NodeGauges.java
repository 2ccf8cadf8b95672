// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.node.ModelService;
import java.util.function.IntSupplier;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.lifecycle.Lifecycle;

/** Gauges of this node for alarms, in the server's registry of metrics. */
final class NodeGauges {
  private NodeGauges() {}

  /** Registers the gauges; until the node has started, each is 0. */
  public static void register(
      TelemetryMetrics metrics,
      ClusterService clusterService,
      ModelService models,
      DriftWindows drift) {
    metrics.gauge(
        "ready",
        "1 if the node can score by all models, else 0",
        started(clusterService, () -> models.readiness().ready() ? 1 : 0));
    metrics.gauge(
        "quarantined_engines",
        "engines of models that are not used because they computed a wrong score",
        started(
            clusterService,
            () ->
                models.states().stream()
                    .map(ModelState::quarantined)
                    .mapToInt(engines -> engines.size())
                    .sum()));
    metrics.gauge(
        "drifting_features",
        "features of models whose population stability index reached quickscorer.drift.psi_alarm",
        () ->
            drift.alarms().values().stream().mapToInt(DriftWindows.Alarms::driftingFeatures).sum());
  }

  /** Returns a gauge that is 0 before the start, when there is no cluster state to read. */
  private static IntSupplier started(ClusterService clusterService, IntSupplier value) {
    return () -> clusterService.lifecycleState() == Lifecycle.State.STARTED ? value.getAsInt() : 0;
  }
}
