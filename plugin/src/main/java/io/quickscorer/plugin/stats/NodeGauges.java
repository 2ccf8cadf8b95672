// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.node.ModelService;
import java.util.function.IntSupplier;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.lifecycle.Lifecycle;

/** Registers gauges (current values) of this node in the server's registry of metrics. */
final class NodeGauges {
  private NodeGauges() {}

  /** Registers the gauges of a node. Each gauge is 0 until the node's start has ended. */
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
                    .reduce(0, Math::addExact)));
    metrics.gauge(
        "drifting_features",
        "features of models whose population stability index reached quickscorer.drift.psi_alarm",
        () ->
            drift.alarms().values().stream()
                .mapToInt(DriftWindows.Alarms::driftingFeatures)
                .reduce(0, Math::addExact));
  }

  /**
   * Returns a gauge for a value that is read from the cluster state. The gauge is 0 until the
   * node's start has ended, because a starting node has no cluster state.
   */
  private static IntSupplier started(ClusterService clusterService, IntSupplier value) {
    return () -> clusterService.lifecycleState() == Lifecycle.State.STARTED ? value.getAsInt() : 0;
  }
}
