// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest.cat;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.featureset.GetFeatureSetsAction;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.set.FeatureSet;
import io.quickscorer.plugin.rest.Routes;
import java.util.stream.Collectors;
import org.opensearch.common.Table;
import org.opensearch.rest.RestRequest;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET _cat/feature_sets}. */
public final class CatFeatureSetsAction extends CatAction {
  public CatFeatureSetsAction() {
    super("feature_sets");
  }

  @Override
  protected Table getTableWithHeader(RestRequest request) {
    Table table = new Table().startHeaders();
    column(table, "feature_set", "fs", "name of the set");
    number(table, "features", "f", "how many features it has");
    column(table, "names", "n", "their names, the first few");
    return table.endHeaders();
  }

  @Override
  protected RestChannelConsumer doCatRequest(RestRequest request, NodeClient client) {
    ListRequest list = Routes.list(request);
    return channel ->
        client.execute(
            GetFeatureSetsAction.INSTANCE,
            list,
            answer(
                channel,
                response -> {
                  Table table = getTableWithHeader(request);
                  for (FeatureSet set : response.sets()) {
                    table.startRow().addCell(set.name()).addCell(set.features().size());
                    table.addCell(names(set)).endRow();
                  }
                  return table;
                }));
  }

  private static String names(FeatureSet set) {
    return set.features().stream()
        .limit(5)
        .map(FeatureDefinition::name)
        .collect(Collectors.joining(","));
  }
}
