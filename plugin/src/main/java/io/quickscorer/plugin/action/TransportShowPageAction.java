// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action;

import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/**
 * Permits a user to see the plugin's web page and the list of endpoints, if the node's action
 * filters allow this action. The page and the list contain no data of the cluster; the page
 * requests data with other actions.
 */
public final class TransportShowPageAction extends LocalTransportAction<String, String> {
  public static final LocalAction<String, String> ACTION =
      new LocalAction<>("cluster:admin/quickscorer/ui/get");

  @Inject
  public TransportShowPageAction(TransportService transportService, ActionFilters filters) {
    super(ACTION, transportService, filters);
  }

  @Override
  protected void carryOut(Task task, String nothing, ActionListener<String> listener) {
    listener.onResponse("");
  }
}
