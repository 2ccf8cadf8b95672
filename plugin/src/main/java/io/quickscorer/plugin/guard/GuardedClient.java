// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.FilterClient;
import org.opensearch.transport.client.OriginSettingClient;

/** A client whose listeners, which run on the server's threads, cannot throw an {@link Error}. */
public class GuardedClient extends FilterClient {
  /** The internal user (origin) with whose permissions the plugin accesses its own index. */
  public static final String ORIGIN = "quickscorer";

  public GuardedClient(Client client) {
    super(client);
  }

  /** Returns a client that acts with the plugin's permissions instead of the user's. */
  public static GuardedClient ofPlugin(Client client) {
    return new GuardedClient(new OriginSettingClient(client, ORIGIN));
  }

  @Override
  protected <Q extends ActionRequest, R extends ActionResponse> void doExecute(
      ActionType<R> action, Q request, ActionListener<R> listener) {
    super.doExecute(
        action, request, Guard.listener(() -> "the response to [" + action.name() + "]", listener));
  }
}
