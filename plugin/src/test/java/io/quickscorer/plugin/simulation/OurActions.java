// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.Activation;
import io.quickscorer.plugin.Aliases;
import io.quickscorer.plugin.FeatureSets;
import io.quickscorer.plugin.ModelNodes;
import io.quickscorer.plugin.ModelUploads;
import io.quickscorer.plugin.Models;
import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.node.CatalogueKeeper;
import io.quickscorer.plugin.model.node.ModelComponents;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.node.UploadSweeper;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import io.quickscorer.plugin.stats.NodeStats;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.plugin.stats.VerifyStats;
import java.util.List;
import java.util.Map;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.TransportAction;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.script.ScriptService;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/** The actions of the plugin on a simulated process. */
final class OurActions {
  private OurActions() {}

  static void add(
      Map<ActionType<?>, TransportAction<?, ?>> actions,
      ModelComponents parts,
      TransportService transportService,
      ClusterService clusterService,
      SimulatedThreads threads,
      ActionFilters filters,
      IndexNameExpressionResolver resolver,
      NodeClient nodeClient,
      ModelBreaker memory,
      RequestMemory requests) {
    for (var type : List.of(Activation.MODEL, Activation.ALIAS)) {
      actions.put(
          type,
          new Activation(
              type,
              transportService,
              clusterService,
              threads,
              filters,
              resolver,
              new Activation.Services(
                  parts.settings(),
                  part(parts, UploadSweeper.class),
                  part(parts, CatalogueKeeper.class))));
    }
    ModelService service = part(parts, ModelService.class);
    actions.put(
        NodeStats.ACTION,
        NodeStats.ACTION.handler(
            threads,
            clusterService,
            transportService,
            filters,
            new NodeStats.Source(service, memory, new RescoreStats(), new VerifyStats())::read));
    Adding to = new Adding(actions, transportService, filters);
    GuardedClient plugin = GuardedClient.ofPlugin(nodeClient);
    ModelUploadService uploads = part(parts, ModelUploadService.class);
    ModelNodes nodes = new ModelNodes(clusterService, transportService, service);
    to.put(ModelNodes.LOAD, nodes::receive);
    to.put(ModelUploads.PUT, new ModelUploads(uploads, clusterService, nodes, plugin)::put);
    Models models =
        new Models(clusterService, threads, part(parts, ModelStore.class), uploads, memory, plugin);
    to.put(Models.DELETE, (task, name, l) -> models.delete(name, l));
    to.put(Models.GET, (task, list, l) -> models.get(list, l));
    Aliases aliases = new Aliases(clusterService, threads, nodes, plugin);
    to.put(Aliases.PUT, (task, move, l) -> aliases.put(move, l));
    to.put(Aliases.DELETE, (task, name, l) -> aliases.delete(name, l));
    to.put(Aliases.GET, (task, list, l) -> aliases.get(list, l));
    FeatureSets sets =
        new FeatureSets(
            part(parts, FeatureSetStore.class),
            threads,
            nodeClient,
            NamedXContentRegistry.EMPTY,
            new ScriptService(Settings.EMPTY, Map.of(), Map.of()),
            requests);
    to.put(FeatureSets.PUT, (task, set, l) -> sets.put(set, l));
    to.put(FeatureSets.DELETE, (task, name, l) -> sets.delete(name, l));
    to.put(FeatureSets.GET, (task, list, l) -> sets.get(list, l));
  }

  private record Adding(
      Map<ActionType<?>, TransportAction<?, ?>> actions,
      TransportService transportService,
      ActionFilters filters) {
    <Q, R> void put(PluginAction<Q, R> action, PluginAction.Operation<Q, R> operation) {
      actions.put(action, action.handler(transportService, filters, operation));
    }
  }

  /** The part of that type. */
  static <T> T part(ModelComponents parts, Class<T> type) {
    return parts.all().stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
  }
}
