// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.testing;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;

/**
 * Stands in for a plugin that grants actions to users: whoever names himself in a header may do
 * what was granted to him and nothing else, on any node. What has no such header is the cluster's
 * own.
 */
public final class GrantedActions extends UserFilterPlugin {
  private static final Map<String, Set<String>> GRANTS = new ConcurrentHashMap<>();

  /** Grants exactly these actions to a user. */
  public static void grant(String user, String... actions) {
    GRANTS.put(user, Set.of(actions));
  }

  @Override
  void filter(String action, ActionRequest request, ActionListener<?> refused, Runnable proceed) {
    String user = user();
    if (user != null && !GRANTS.getOrDefault(user, Set.of()).contains(action)) {
      refused.onFailure(
          new OpenSearchSecurityException(
              "no permissions for [" + action + "] and " + user, RestStatus.FORBIDDEN));
    } else if (user != null
        && request instanceof SearchRequest search
        && search.source() != null
        && search.source().profile()) {
      // What the security plugin says under rules on documents.
      refused.onFailure(
          new OpenSearchSecurityException("Profiling is not supported when DLS is activated"));
    } else {
      proceed.run();
    }
  }
}
