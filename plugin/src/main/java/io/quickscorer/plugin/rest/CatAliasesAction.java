// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.resource.TransportGetAliasesAction;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.Shares;
import org.opensearch.common.Table;
import org.opensearch.core.action.ActionListener;

/** {@code GET _cat/aliases}: a table of aliases and the models to which they point. */
final class CatAliasesAction extends CatAction<ListRequest.Page<ModelAlias>> {
  CatAliasesAction() {
    super("aliases");
  }

  @Override
  void addColumns(Table table) {
    column(table, "alias", "a", "name that searches use");
    column(table, "model", "m", "model that it points to");
    column(table, "previous", "p", "the model before the last move");
  }

  @Override
  void fetch(
      ListRequest list,
      GuardedClient client,
      ActionListener<ListRequest.Page<ModelAlias>> listener) {
    TransportGetAliasesAction.ACTION.execute(client, list, listener);
  }

  @Override
  void addRows(Table table, ListRequest.Page<ModelAlias> page) {
    for (ModelAlias alias : page.items()) {
      table.startRow().addCell(alias.name()).addCell(alias.model());
      Shares previous = alias.previous();
      table.addCell(previous == null ? null : previous.main()).endRow();
    }
  }
}
