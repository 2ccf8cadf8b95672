// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action;

import java.util.HashMap;
import java.util.Map;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.ClusterState;
import org.opensearch.core.rest.RestStatus;

/**
 * Keeps a change of a name that was held up on its way from undoing a later one.
 *
 * <p>A network that was cut may deliver a request long after the node that sent it has given it up
 * and sent it again. So each says which version of the cluster state its sender had; where the name
 * was changed since, or may have been, as the manager was elected since, it is refused. A sender
 * that still waits sends it again.
 *
 * <p>Used by the thread that changes the cluster state; only {@link #isStale} by others.
 */
final class ChangeFence {
  private static final String STALE = "opensearch.quickscorer_stale";

  /** Names whose changes are remembered one by one. */
  private static final int MAX_NAMES = 10_000;

  private final Map<String, Long> changes = new HashMap<>();
  private long term = -1;
  private long floor;

  /**
   * To be called before a change.
   *
   * @param seen the version of the cluster state that the sender had
   * @throws OpenSearchStatusException (409) if the name may have been changed since
   */
  void check(String what, String name, long seen, ClusterState state) {
    if (state.term() != term || changes.size() > MAX_NAMES) {
      term = state.term();
      floor = state.version();
      changes.clear();
    }
    if (seen < changes.getOrDefault(name, floor)) {
      OpenSearchStatusException stale =
          new OpenSearchStatusException(
              "{} [{}]: it was changed after this request was sent",
              RestStatus.CONFLICT,
              what,
              name);
      stale.addMetadata(STALE, "true");
      throw stale;
    }
  }

  /** To be called when the name's change is part of that state. */
  void changed(String name, ClusterState state) {
    changes.put(name, state.version());
  }

  /** Whether a request was refused for coming too late, here or on another node. */
  static boolean isStale(Exception failure) {
    return ExceptionsHelper.unwrapCause(failure) instanceof OpenSearchException refusal
        && refusal.getMetadata(STALE) != null;
  }
}
