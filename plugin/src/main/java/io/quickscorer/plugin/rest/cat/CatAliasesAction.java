// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest.cat;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.alias.GetAliasesAction;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.rest.Routes;
import org.opensearch.common.Table;
import org.opensearch.rest.RestRequest;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET _cat/aliases}. */
public final class CatAliasesAction extends CatAction {
  public CatAliasesAction() {
    super("aliases");
  }

  @Override
  protected Table getTableWithHeader(RestRequest request) {
    Table table = new Table().startHeaders();
    column(table, "alias", "a", "the name that searches say");
    column(table, "model", "m", "the model that they get");
    column(table, "previous", "p", "the model before the last move");
    return table.endHeaders();
  }

  @Override
  protected RestChannelConsumer doCatRequest(RestRequest request, NodeClient client) {
    ListRequest list = Routes.list(request);
    return channel ->
        client.execute(
            GetAliasesAction.INSTANCE,
            list,
            answer(
                channel,
                response -> {
                  Table table = getTableWithHeader(request);
                  for (ModelAlias alias : response.aliases()) {
                    table.startRow().addCell(alias.name()).addCell(alias.model());
                    table.addCell(alias.previous()).endRow();
                  }
                  return table;
                }));
  }
}
