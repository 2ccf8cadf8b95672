// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.resource.TransportGetFeatureSetsAction;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import java.util.stream.Collectors;
import org.opensearch.common.Table;
import org.opensearch.core.action.ActionListener;

/** {@code GET _cat/feature_sets}: a table of feature sets. */
final class CatFeatureSetsAction extends CatAction<ListRequest.Page<FeatureSetStore.Listed>> {
  CatFeatureSetsAction() {
    super("feature_sets");
  }

  @Override
  void addColumns(Table table) {
    column(table, "feature_set", "fs", "name of the set");
    number(table, "features", "f", "number of features");
    column(table, "names", "n", "names of the first features");
  }

  @Override
  void fetch(
      ListRequest list,
      GuardedClient client,
      ActionListener<ListRequest.Page<FeatureSetStore.Listed>> listener) {
    TransportGetFeatureSetsAction.ACTION.execute(client, list, listener);
  }

  @Override
  void addRows(Table table, ListRequest.Page<FeatureSetStore.Listed> page) {
    for (FeatureSetStore.Listed listed : page.items()) {
      FeatureSet set = listed.set();
      table.startRow().addCell(listed.name()).addCell(set == null ? null : set.features().size());
      table.addCell(set == null ? "cannot be read" : names(set)).endRow();
    }
  }

  private static String names(FeatureSet set) {
    return set.features().stream()
        .limit(5)
        .map(FeatureDefinition::name)
        .collect(Collectors.joining(","));
  }
}
