// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.guard.Guard;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.action.ActionRunnable;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateObserver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.node.NodeClosedException;
import org.opensearch.threadpool.ThreadPool;

/** Waits for a cluster state, without a thread. */
public final class StateWait {
  private static final Logger LOGGER = LogManager.getLogger(StateWait.class);

  private StateWait() {}

  /**
   * Answers as soon as this node's view of the cluster is as asked for: at once if it is now.
   *
   * @param wanted whether a state is as asked for; must be quick
   * @param most how long to wait
   * @param late the failure if it took longer, by that time
   */
  public static void until(
      ClusterService clusterService,
      ThreadPool threadPool,
      Predicate<ClusterState> wanted,
      TimeValue most,
      Function<TimeValue, Exception> late,
      ActionListener<Void> listener) {
    ClusterStateObserver observer =
        new ClusterStateObserver(clusterService, most, LOGGER, threadPool.getThreadContext());
    if (wanted.test(observer.setAndGetObservedState())) {
      listener.onResponse(null);
      return;
    }
    observer.waitForNextChange(
        new ClusterStateObserver.Listener() {
          @Override
          public void onNewClusterState(ClusterState state) {
            // The thread that applies cluster states must not be kept.
            Guard.executor(threadPool, ThreadPool.Names.GENERIC)
                .execute(ActionRunnable.wrap(listener, l -> l.onResponse(null)));
          }

          @Override
          public void onClusterServiceClose() {
            listener.onFailure(new NodeClosedException(clusterService.localNode()));
          }

          @Override
          public void onTimeout(TimeValue timeout) {
            listener.onFailure(late.apply(timeout));
          }
        },
        wanted);
  }
}
