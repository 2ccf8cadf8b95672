// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.Sequence;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelState.Phase;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.model.node.ChangeFence;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.threadpool.ThreadPool;

/**
 * The actions that read, create, move and delete aliases.
 *
 * @param client acts with the plugin's permissions
 */
record Aliases(
    ClusterService clusterService, ThreadPool threadPool, ModelNodes nodes, GuardedClient client) {
  public static final PluginAction<Request, Response> PUT =
      PluginAction.local("cluster:admin/quickscorer/alias/put");
  public static final PluginAction<ListRequest, ListRequest.Page<ModelAlias>> GET =
      PluginAction.local("cluster:admin/quickscorer/alias/get");
  public static final PluginAction<String, AcknowledgedResponse> DELETE =
      PluginAction.local("cluster:admin/quickscorer/alias/delete");

  /**
   * A request to move an alias.
   *
   * @param target the models and their shares of the searches, or null to point the alias at its
   *     previous models again
   * @param timeout the maximum time to wait for nodes to load each model
   */
  public record Request(String name, @Nullable Shares target, TimeValue timeout) {}

  /**
   * The result of moving an alias.
   *
   * @param alias the alias after the request
   * @param result whether the alias was created, updated or left unchanged
   * @param acknowledged whether all nodes have the change; if not, the remaining nodes get it later
   */
  public record Response(ModelAlias alias, ModelUploads.Result result, boolean acknowledged)
      implements StatusToXContentObject {
    @Override
    public RestStatus status() {
      return result.status();
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      return alias
          .fields(builder.startObject())
          .field("result", result.name().toLowerCase(Locale.ROOT))
          .field("acknowledged", acknowledged)
          .endObject();
    }
  }

  /** Reads aliases from the cluster state, and passes them to the listener. */
  public void get(ListRequest request, ActionListener<ListRequest.Page<ModelAlias>> listener) {
    ModelsMetadata models = ModelsMetadata.of(clusterService.state());
    listener.onResponse(
        request.single()
            ? new ListRequest.Page<>(models.alias(request.names()))
            : request.page(models.aliases().values(), ModelAlias::name));
  }

  /** Deletes an alias. */
  public void delete(String name, ActionListener<AcknowledgedResponse> listener) {
    new Activation.Request(
            ResourceNames.check("alias", name), new Change.OfAlias(null, List.of(), null))
        .send(
            client,
            ActionListener.map(
                listener, published -> new AcknowledgedResponse(published.value().acknowledged())));
  }

  /**
   * Points an alias at other models, or back at its previous models (a rollback). Every data node
   * compiles the models before the alias moves.
   */
  public void put(Request request, ActionListener<Response> listener) {
    // If a model is replaced while the nodes load it, its new version is loaded too.
    new Retries(
            threadPool,
            failure ->
                ChangeFence.isForNow(failure)
                    && ExceptionsHelper.status(failure) == RestStatus.CONFLICT,
            threadPool.relativeTimeInMillis() + request.timeout().millis())
        .<Response>run(l -> move(request, l), listener);
  }

  private void move(Request request, ActionListener<Response> listener) {
    String name = ResourceNames.check("alias", request.name());
    ModelsMetadata models = ModelsMetadata.of(clusterService.state());
    Shares target = request.target();
    ModelAlias from = null;
    if (target == null) {
      from = models.alias(name);
      target = from.previous();
      if (target == null) {
        throw ChangeFence.refuse(
            new OpenSearchStatusException(
                "alias [{}] has no previous target to go back to", RestStatus.CONFLICT, name));
      }
    }
    List<ModelManifest> manifests = target.models().keySet().stream().map(models::model).toList();
    List<ModelId> versions = manifests.stream().map(ModelManifest::id).toList();
    Activation.Request move =
        new Activation.Request(name, new Change.OfAlias(target, versions, from))
            .timeout(request.timeout());
    Sequence.each(
        manifests.iterator(),
        (manifest, next) ->
            nodes.load(
                manifest,
                request.timeout(),
                (answered, asked) -> {},
                ActionListener.map(
                    next,
                    states -> {
                      checkLoaded(manifest.id(), states);
                      return null;
                    })),
        ActionListener.wrap(loaded -> publish(move, listener), listener::onFailure));
  }

  /** Checks that all nodes have loaded a model's version; ignores nodes that left the cluster. */
  private void checkLoaded(ModelId id, List<ModelNodes.NodeState> states) {
    for (ModelNodes.NodeState node : states) {
      if (node.state().phase() != Phase.LOADED
          && clusterService.state().nodes().nodeExists(node.nodeId())) {
        throw new OpenSearchStatusException(
            "model [{}] is not loaded yet on node [{}]; the alias was not moved",
            RestStatus.SERVICE_UNAVAILABLE,
            id,
            node.nodeName());
      }
    }
  }

  private void publish(Activation.Request move, ActionListener<Response> listener) {
    move.send(
        client,
        ActionListener.map(
            listener,
            response -> {
              Activation.Published published = response.value();
              ModelAlias after = Objects.requireNonNull(published.after());
              ModelAlias before = published.before();
              ModelUploads.Result result =
                  before == null
                      ? ModelUploads.Result.CREATED
                      : before.equals(after)
                          ? ModelUploads.Result.NOOP
                          : ModelUploads.Result.UPDATED;
              return new Response(after, result, published.acknowledged());
            }));
  }
}
