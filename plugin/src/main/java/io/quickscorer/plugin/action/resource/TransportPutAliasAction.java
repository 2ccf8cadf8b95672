// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.action.resource.PutAliasAction.Request;
import io.quickscorer.plugin.action.resource.PutAliasAction.Response;
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
import io.quickscorer.plugin.model.node.ModelService;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/** Has every data node compile the models, and only then moves the alias. */
public final class TransportPutAliasAction extends LocalTransportAction<Request, Response> {
  private final ClusterService clusterService;
  private final ThreadPool threadPool;
  private final ModelNodes nodes;
  private final GuardedClient client;

  @Inject
  public TransportPutAliasAction(
      TransportService transportService,
      ActionFilters filters,
      ClusterService clusterService,
      ThreadPool threadPool,
      NodeClient client) {
    super(PutAliasAction.INSTANCE, transportService, filters);
    this.clusterService = clusterService;
    this.threadPool = threadPool;
    this.nodes = new ModelNodes(clusterService, transportService);
    this.client = GuardedClient.ofPlugin(client);
  }

  @Override
  protected void carryOut(Task task, Request request, ActionListener<Response> listener) {
    // A model that is replaced while it is loaded is loaded again, in its new version.
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
    Shares from = null;
    if (target == null) {
      ModelAlias alias = models.aliases().get(name);
      if (alias == null) {
        throw TransportActivateAliasAction.missing(name);
      }
      from = alias.target();
      target = alias.previous();
      if (target == null) {
        throw ChangeFence.refuse(
            new OpenSearchStatusException(
                "alias [{}]: it has no previous target to move back to",
                RestStatus.CONFLICT,
                name));
      }
    }
    List<ModelManifest> manifests = new ArrayList<>();
    for (String model : target.models().keySet()) {
      ModelManifest manifest = models.get(model);
      if (manifest == null) {
        throw ModelService.missing(model);
      }
      manifests.add(manifest);
    }
    List<ModelId> versions = manifests.stream().map(ModelManifest::id).toList();
    ActivationRequest<ActivateAliasAction.Change> move =
        new ActivationRequest<>(name, new ActivateAliasAction.Change(target, versions, from))
            .timeout(request.timeout());
    Sequence.each(
        manifests.iterator(),
        (manifest, next) ->
            nodes.load(
                manifest,
                request.timeout(),
                ActionListener.map(
                    next,
                    states -> {
                      checkLoaded(manifest.id(), states);
                      return null;
                    })),
        ActionListener.wrap(loaded -> publish(move, listener), listener::onFailure));
  }

  /** A node that has left need not be waited for; one that is still there must have loaded. */
  private void checkLoaded(ModelId id, List<NodeModelState> states) {
    for (NodeModelState node : states) {
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

  private void publish(
      ActivationRequest<ActivateAliasAction.Change> move, ActionListener<Response> listener) {
    client.execute(
        ActivateAliasAction.INSTANCE,
        move,
        ActionListener.map(
            listener,
            response -> {
              ActivateAliasAction.Published published = response.value();
              ModelAlias after = Objects.requireNonNull(published.after());
              ModelAlias before = published.before();
              PutModelAction.Result result =
                  before == null
                      ? PutModelAction.Result.CREATED
                      : before.equals(after)
                          ? PutModelAction.Result.NOOP
                          : PutModelAction.Result.UPDATED;
              return new Response(after, result, published.acknowledged());
            }));
  }
}
