// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest.cat;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.alias.GetAliasesAction;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.Shares;
import org.opensearch.common.Table;
import org.opensearch.core.action.ActionListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET _cat/aliases}. */
public final class CatAliasesAction extends CatAction<GetAliasesAction.Response> {
  public CatAliasesAction() {
    super("aliases");
  }

  @Override
  void addColumns(Table table) {
    column(table, "alias", "a", "the name that searches say");
    column(table, "model", "m", "the model that they get");
    column(table, "previous", "p", "the model before the last move");
  }

  @Override
  void fetch(
      ListRequest list, NodeClient client, ActionListener<GetAliasesAction.Response> listener) {
    client.execute(GetAliasesAction.INSTANCE, list, listener);
  }

  @Override
  void addRows(Table table, GetAliasesAction.Response response) {
    for (ModelAlias alias : response.aliases()) {
      table.startRow().addCell(alias.name()).addCell(alias.model());
      Shares previous = alias.previous();
      table.addCell(previous == null ? null : previous.main()).endRow();
    }
  }
}
