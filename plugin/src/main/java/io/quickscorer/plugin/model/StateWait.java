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

/** Waits for a cluster state without blocking a thread. */
public final class StateWait {
  private static final Logger LOGGER = LogManager.getLogger(StateWait.class);

  private StateWait() {}

  /**
   * Calls the listener as soon as this node's cluster state meets a condition, or with a failure
   * after a maximum time.
   *
   * @param wanted the condition; must be fast, because it runs on the thread that applies states
   * @param max the maximum time to wait
   * @param timeoutFailure creates the failure; its argument is the maximum time
   */
  public static void until(
      ClusterService clusterService,
      ThreadPool threadPool,
      Predicate<ClusterState> wanted,
      TimeValue max,
      Function<TimeValue, Exception> timeoutFailure,
      ActionListener<Void> listener) {
    ClusterStateObserver observer =
        new ClusterStateObserver(clusterService, max, LOGGER, threadPool.getThreadContext());
    if (wanted.test(observer.setAndGetObservedState())) {
      listener.onResponse(null);
      return;
    }
    ActionListener<Void> guarded = Guard.listener(() -> "a wait for a cluster state", listener);
    observer.waitForNextChange(
        new ClusterStateObserver.Listener() {
          @Override
          public void onNewClusterState(ClusterState state) {
            // On another thread, because this one applies cluster states and must not be blocked.
            Guard.executor(threadPool, ThreadPool.Names.GENERIC)
                .execute(ActionRunnable.wrap(guarded, l -> l.onResponse(null)));
          }

          @Override
          public void onClusterServiceClose() {
            guarded.onFailure(new NodeClosedException(clusterService.localNode()));
          }

          @Override
          public void onTimeout(TimeValue timeout) {
            // If the failure cannot be created, the listener gets the exception instead.
            ActionRunnable.wrap(guarded, l -> l.onFailure(timeoutFailure.apply(timeout))).run();
          }
        },
        wanted);
  }
}
