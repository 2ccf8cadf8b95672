// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action;

import io.quickscorer.plugin.guard.GuardedClient;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionListener;

/**
 * An action that a node runs only for requests that users send to this node. No other node calls
 * the action, so its request and response are never serialised.
 *
 * @param <Q> the request
 * @param <R> the response
 */
public final class LocalAction<Q, R> extends ActionType<ValueResponse<R>> {
  /**
   * @param name the action's name, by which a user is permitted to run it
   */
  public LocalAction(String name) {
    super(
        name,
        in -> {
          throw new UnsupportedOperationException(name);
        });
  }

  /** Runs the action on this node. */
  public void execute(GuardedClient client, Q request, ActionListener<R> listener) {
    client.execute(
        this, new ValueRequest<>(request), ActionListener.map(listener, ValueResponse::value));
  }
}
