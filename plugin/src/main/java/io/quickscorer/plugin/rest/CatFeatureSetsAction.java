// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.resource.TransportGetFeatureSetsAction;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.GuardedClient;
import java.util.stream.Collectors;
import org.opensearch.common.Table;
import org.opensearch.core.action.ActionListener;

/** {@code GET _cat/feature_sets}. */
final class CatFeatureSetsAction extends CatAction<ListRequest.Page<FeatureSet>> {
  CatFeatureSetsAction() {
    super("feature_sets");
  }

  @Override
  void addColumns(Table table) {
    column(table, "feature_set", "fs", "name of the set");
    number(table, "features", "f", "how many features it has");
    column(table, "names", "n", "their names, the first few");
  }

  @Override
  void fetch(
      ListRequest list,
      GuardedClient client,
      ActionListener<ListRequest.Page<FeatureSet>> listener) {
    TransportGetFeatureSetsAction.ACTION.execute(client, list, listener);
  }

  @Override
  void addRows(Table table, ListRequest.Page<FeatureSet> page) {
    for (FeatureSet set : page.items()) {
      table.startRow().addCell(set.name()).addCell(set.features().size());
      table.addCell(names(set)).endRow();
    }
  }

  private static String names(FeatureSet set) {
    return set.features().stream()
        .limit(5)
        .map(FeatureDefinition::name)
        .collect(Collectors.joining(","));
  }
}
