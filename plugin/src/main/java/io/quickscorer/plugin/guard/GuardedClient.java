// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.FilterClient;
import org.opensearch.transport.client.OriginSettingClient;

/**
 * The server's client, with listeners that are {@link Guard guarded}: it calls them on threads of
 * its own. Safe for use by several threads.
 */
public class GuardedClient extends FilterClient {
  /** Under this name, not the user's, the plugin reads and writes its own index. */
  public static final String ORIGIN = "quickscorer";

  public GuardedClient(Client client) {
    super(client);
  }

  /** Returns a client that acts in the plugin's name, not the user's. */
  public static GuardedClient ofPlugin(Client client) {
    return new GuardedClient(new OriginSettingClient(client, ORIGIN));
  }

  @Override
  protected <Q extends ActionRequest, R extends ActionResponse> void doExecute(
      ActionType<R> action, Q request, ActionListener<R> listener) {
    super.doExecute(
        action, request, Guard.listener(() -> "the answer to [" + action.name() + "]", listener));
  }
}
