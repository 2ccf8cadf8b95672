// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest.cat;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.featureset.GetFeatureSetsAction;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.set.FeatureSet;
import java.util.stream.Collectors;
import org.opensearch.common.Table;
import org.opensearch.core.action.ActionListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET _cat/feature_sets}. */
public final class CatFeatureSetsAction extends CatAction<GetFeatureSetsAction.Response> {
  public CatFeatureSetsAction() {
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
      ListRequest list, NodeClient client, ActionListener<GetFeatureSetsAction.Response> listener) {
    client.execute(GetFeatureSetsAction.INSTANCE, list, listener);
  }

  @Override
  void addRows(Table table, GetFeatureSetsAction.Response response) {
    for (FeatureSet set : response.sets()) {
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
