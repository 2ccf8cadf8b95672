// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.testing;

import io.quickscorer.plugin.action.PluginAction;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.transport.client.Client;

/** Has nodes carry out actions as they do for their own users. */
public final class Local {
  private Local() {}

  public static <Q, R> PlainActionFuture<R> begin(
      Client node, PluginAction<Q, R> action, Q request) {
    PlainActionFuture<R> answer = PlainActionFuture.newFuture();
    action.execute(node, request, answer);
    return answer;
  }
}
