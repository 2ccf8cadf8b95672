// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterManagerMetrics;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.NodeConnectionsService;
import org.opensearch.cluster.TimeoutClusterStateListener;
import org.opensearch.cluster.coordination.MockSinglePrioritizingExecutor;
import org.opensearch.cluster.service.ClusterApplierService;
import org.opensearch.common.Priority;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.PrioritizedOpenSearchThreadPoolExecutor;
import org.opensearch.telemetry.metrics.noop.NoopMetricsRegistry;
import org.opensearch.threadpool.Scheduler.Cancellable;
import org.opensearch.threadpool.ThreadPool;

/**
 * Applies cluster states as the server does, on simulated threads. It tells those that wait for a
 * state in the order in which they came; the server's order is that of a hash table of objects,
 * another one in each JVM.
 */
final class SimulatedApplier extends ClusterApplierService {
  private final NodeTime time;
  private final NodeConnectionsService connections;
  private final Map<TimeoutClusterStateListener, Optional<Cancellable>> observers =
      new LinkedHashMap<>();

  SimulatedApplier(
      Settings settings,
      ClusterSettings clusterSettings,
      ThreadPool threads,
      NodeTime time,
      NodeConnectionsService connections) {
    super(
        "simulated",
        settings,
        clusterSettings,
        threads,
        new ClusterManagerMetrics(NoopMetricsRegistry.INSTANCE));
    this.time = time;
    this.connections = connections;
  }

  @Override
  protected PrioritizedOpenSearchThreadPoolExecutor createThreadPoolExecutor() {
    return new MockSinglePrioritizingExecutor("applier", time, threadPool) {
      @Override
      protected void afterExecute(Runnable task, @Nullable Throwable failure) {
        if (failure instanceof AssertionError) {
          // The super method would replace it by the error that ends its thread.
          throw new AssertionError("a cluster state can't be applied", failure);
        }
        super.afterExecute(task, failure);
      }
    };
  }

  @Override
  protected void connectToNodesAndWait(ClusterState state) {
    connections.connectToNodes(state.nodes(), () -> {});
  }

  /** Tells those that wait for a state. */
  ClusterStateListener observers() {
    return event -> List.copyOf(observers.keySet()).forEach(all -> all.clusterChanged(event));
  }

  @Override
  public void addTimeoutListener(
      @Nullable TimeValue timeout, TimeoutClusterStateListener listener) {
    runOnApplierThread(
        "a wait for a cluster state",
        state -> {
          Optional<Cancellable> timer =
              Optional.ofNullable(timeout)
                  .map(
                      most ->
                          threadPool.schedule(
                              () -> expire(most, listener), most, ThreadPool.Names.GENERIC));
          observers.put(listener, timer);
          listener.postAdded();
        },
        (source, failure) -> {},
        Priority.HIGH);
  }

  private void expire(TimeValue timeout, TimeoutClusterStateListener listener) {
    if (observers.containsKey(listener)) {
      listener.onTimeout(timeout);
    }
  }

  @Override
  public void removeTimeoutListener(TimeoutClusterStateListener listener) {
    Optional<Cancellable> timer = observers.remove(listener);
    if (timer != null) {
      timer.ifPresent(Cancellable::cancel);
    }
  }
}
