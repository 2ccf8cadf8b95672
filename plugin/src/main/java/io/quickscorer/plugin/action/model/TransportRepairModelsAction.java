// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.model;

import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.action.ValueResponse;
import io.quickscorer.plugin.action.model.RepairModelsAction.Model;
import io.quickscorer.plugin.action.model.RepairModelsAction.Request;
import io.quickscorer.plugin.action.model.RepairModelsAction.Response;
import io.quickscorer.plugin.action.model.RepairModelsAction.Result;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.model.store.StoredChunks;
import io.quickscorer.reader.compact.CompactModelWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.ActionListenerResponseHandler;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Works on a data node, where models are compiled, on one model after the other. */
public final class TransportRepairModelsAction
    extends HandledTransportAction<ValueRequest<Request>, ValueResponse<Response>> {
  private final ModelService models;
  private final ModelStore store;
  private final ModelBreaker breaker;
  private final ClusterService clusterService;
  private final TransportService transportService;
  private final Executor executor;

  @Inject
  public TransportRepairModelsAction(
      TransportService transportService,
      ActionFilters filters,
      ModelService models,
      ModelStore store,
      ModelBreaker breaker,
      ClusterService clusterService,
      ThreadPool threadPool) {
    super(
        RepairModelsAction.INSTANCE.name(),
        transportService,
        filters,
        in -> new ValueRequest<>(in, Request.class));
    this.models = models;
    this.store = store;
    this.breaker = breaker;
    this.clusterService = clusterService;
    this.transportService = transportService;
    this.executor = WorkPool.REPORTS.of(threadPool);
  }

  @Override
  protected void doExecute(
      Task task, ValueRequest<Request> asked, ActionListener<ValueResponse<Response>> listener) {
    Request request = asked.value();
    ModelsMetadata metadata = ModelsMetadata.of(clusterService.state());
    List<ModelManifest> manifests = new ArrayList<>(metadata.models().values());
    if (!request.name().isEmpty()) {
      ModelManifest one = metadata.resolve(request.name());
      if (one == null) {
        throw ModelService.missing(request.name());
      }
      manifests = List.of(one);
    }
    if (!clusterService.localNode().isDataNode()) {
      for (DiscoveryNode node : clusterService.state().nodes().getDataNodes().values()) {
        transportService.sendRequest(
            node,
            RepairModelsAction.INSTANCE.name(),
            asked,
            new ActionListenerResponseHandler<>(
                Guard.listener(() -> "a node's answer", listener),
                RepairModelsAction.INSTANCE.getResponseReader()));
        return;
      }
    }
    Iterator<ModelManifest> all =
        manifests.stream()
            .sorted(Comparator.comparing(manifest -> manifest.id().name()))
            .iterator();
    next(all, request.dryRun(), new ArrayList<>(), listener);
  }

  private void next(
      Iterator<ModelManifest> rest,
      boolean dryRun,
      List<Model> done,
      ActionListener<ValueResponse<Response>> listener) {
    if (!rest.hasNext()) {
      listener.onResponse(new ValueResponse<>(new Response(done)));
      return;
    }
    ModelManifest manifest = rest.next();
    ActionListener<Model> went =
        ActionListener.wrap(
            model -> {
              done.add(model);
              executor.execute(ActionRunnable.wrap(listener, l -> next(rest, dryRun, done, l)));
            },
            listener::onFailure);
    store.verify(
        manifest,
        ActionListener.wrap(
            whole -> went.onResponse(new Model(manifest.id(), Result.INTACT, "")),
            failure -> {
              if (!StoredChunks.isBroken(failure)) {
                // Nobody knows what is stored.
                listener.onFailure(failure);
                return;
              }
              String problem = ExceptionsHelper.unwrapCause(failure).getMessage();
              Model broken = new Model(manifest.id(), Result.BROKEN, String.valueOf(problem));
              if (dryRun || !models.isLoaded(manifest.id())) {
                went.onResponse(broken);
              } else {
                executor.execute(ActionRunnable.wrap(went, l -> repair(manifest, broken, l)));
              }
            }));
  }

  /** Writes the stored form of what is compiled here, if that is what was stored. */
  private void repair(ModelManifest manifest, Model broken, ActionListener<Model> listener) {
    MemoryCharge memory =
        breaker.reserve(
            2 * manifest.storedBytes(), "<model " + manifest.id() + " being stored anew>");
    ActionListener<Model> closing =
        ActionListener.notifyOnce(ActionListener.runBefore(listener, memory::close));
    try {
      repair(manifest, broken, compactForm(manifest), closing);
    } catch (RuntimeException e) {
      closing.onFailure(e);
    }
  }

  private BytesReference compactForm(ModelManifest manifest) {
    try (ModelLookup.ModelUse use = models.acquire(manifest.id())) {
      return new BytesArray(CompactModelWriter.write(use.model().scorer().ensemble()));
    }
  }

  private void repair(
      ModelManifest manifest, Model broken, BytesReference stored, ActionListener<Model> listener) {
    store.rewrite(
        manifest,
        stored,
        ActionListener.wrap(
            written ->
                store.verify(
                    manifest,
                    ActionListener.wrap(
                        whole ->
                            listener.onResponse(
                                new Model(manifest.id(), Result.REPAIRED, broken.problem())),
                        still -> listener.onResponse(broken))),
            refused -> listener.onResponse(broken)));
  }
}
