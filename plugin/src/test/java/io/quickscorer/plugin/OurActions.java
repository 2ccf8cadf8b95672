// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.Shares;
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
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.TransportAction;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.script.ScriptService;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.node.NodeClient;

/** The actions of the plugin for tests of other packages: their handlers and their requests. */
public final class OurActions {
  private static final TimeValue TIMEOUT = TimeValue.timeValueSeconds(30);

  private OurActions() {}

  /** Adds the handlers of the actions to a node's map. */
  public static void add(
      Map<ActionType<?>, TransportAction<?, ?>> actions,
      ModelComponents parts,
      TransportService transportService,
      ClusterService clusterService,
      ThreadPool threads,
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
  public static <T> T part(ModelComponents parts, Class<T> type) {
    return parts.all().stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
  }

  /** Uploads a model; the result is the name of a constant of {@link ModelUploads.Result}. */
  public static void upload(
      Client node,
      String name,
      boolean create,
      String featureSet,
      BytesReference file,
      ActionListener<String> result) {
    ModelUploads.PUT.execute(
        node,
        new ModelUploads.Request(
            new ModelUploadService.Body(name, featureSet, null, file),
            create ? new Precondition(true, null) : Precondition.NONE,
            TIMEOUT),
        ActionListener.map(result, response -> response.result().name()));
  }

  public static void deleteModel(Client node, String name, ActionListener<String> result) {
    Models.DELETE.execute(node, name, ActionListener.map(result, response -> ""));
  }

  public static void models(Client node, ActionListener<List<ModelManifest>> result) {
    Models.GET.execute(
        node,
        new ListRequest(""),
        ActionListener.map(
            result, page -> page.items().stream().map(Models.Model::manifest).toList()));
  }

  /** The result of a move, and the alias after it. */
  public record Move(String result, ModelAlias alias) {}

  /** Moves an alias to a model, or back if that is null. */
  public static void move(
      Client node, String alias, @Nullable String model, ActionListener<Move> result) {
    Aliases.PUT.execute(
        node,
        new Aliases.Request(alias, model == null ? null : Shares.all(model), TIMEOUT),
        ActionListener.map(
            result, response -> new Move(response.result().name(), response.alias())));
  }

  public static void deleteAlias(Client node, String name, ActionListener<String> result) {
    Aliases.DELETE.execute(node, name, ActionListener.map(result, response -> ""));
  }

  public static void aliases(Client node, ActionListener<List<ModelAlias>> result) {
    Aliases.GET.execute(
        node, new ListRequest(""), ActionListener.map(result, ListRequest.Page::items));
  }

  /** Stores a feature set; the result is whether it is new. */
  public static void putFeatureSet(
      Client node,
      String name,
      boolean create,
      BytesReference body,
      ActionListener<Boolean> result) {
    FeatureSets.PUT.execute(
        node,
        new FeatureSets.Request(name, create, null, MediaTypeRegistry.JSON, body),
        ActionListener.map(result, response -> response.written().created()));
  }

  public static void deleteFeatureSet(Client node, String name, ActionListener<String> result) {
    FeatureSets.DELETE.execute(node, name, ActionListener.map(result, response -> ""));
  }

  public static void featureSet(
      Client node, String name, ActionListener<FeatureSetStore.Listed> result) {
    FeatureSets.GET.execute(
        node, new ListRequest(name), ActionListener.map(result, page -> page.items().getFirst()));
  }
}
