// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.NodesAction;
import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.Gzip;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelDescription.UploadedFile;
import io.quickscorer.plugin.model.ModelFile;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.model.store.StoredChunks;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import io.quickscorer.plugin.stats.NodeStats;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.StepListener;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.threadpool.ThreadPool;

/**
 * The actions that read and delete stored models.
 *
 * @param client acts with the plugin's permissions
 */
record Models(
    ClusterService clusterService,
    ThreadPool threadPool,
    ModelStore store,
    ModelUploadService uploads,
    ModelBreaker breaker,
    GuardedClient client) {
  public static final PluginAction<ListRequest, ListRequest.Page<Model>> GET =
      PluginAction.local("cluster:admin/quickscorer/model/get");
  public static final PluginAction<String, AcknowledgedResponse> DELETE =
      PluginAction.local("cluster:admin/quickscorer/model/delete");

  /** The action that returns a model's uploaded file, by the name of the model or an alias. */
  public static final PluginAction<String, StoredFile> FILE =
      PluginAction.local("cluster:admin/quickscorer/model/file");

  /**
   * A model in a response.
   *
   * @param metadata the properties that the upload stored; empty if they cannot be read
   * @param nodes the model's state on each data node; empty in a page of models
   */
  public record Model(
      ModelManifest manifest, Map<String, Object> metadata, List<ModelNodes.NodeState> nodes)
      implements ToXContentObject {
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject();
      builder.field("name", manifest.id().name());
      builder.field("version", manifest.id().version());
      builder.field("created", Instant.ofEpochMilli(manifest.created()).toString());
      builder.field("sha256", manifest.sha256());
      builder.field("bytes", manifest.bytes());
      builder.mapContents(metadata);
      if (!nodes.isEmpty()) {
        ModelNodes.NodeState.toXContent(nodes, builder, params);
      }
      return builder.endObject();
    }
  }

  /**
   * The uploaded file of a model, in a response.
   *
   * @param name the file name to suggest to the client
   * @param contentType the media type of the bytes
   */
  public record StoredFile(ModelId id, String name, String contentType, BytesReference file) {}

  /**
   * Returns one model or a page of models, without their files, from the cluster state and the
   * index of models. One model is returned with its state on each data node.
   */
  public void get(ListRequest request, ActionListener<ListRequest.Page<Model>> listener) {
    ModelsMetadata models = ModelsMetadata.of(clusterService.state());
    if (!request.single()) {
      ListRequest.Page<ModelManifest> page =
          request.page(models.models().values(), manifest -> manifest.id().name());
      store.metadata(
          page.items(),
          ActionListener.map(
              listener, metadata -> page(page.items(), page.total(), metadata, List.of())));
      return;
    }
    ModelManifest manifest = models.resolve(request.names());
    StepListener<Map<String, Map<String, Object>>> read = new StepListener<>();
    store.metadata(List.of(manifest), read);
    Guard.then(
        read,
        metadata ->
            client.execute(
                NodeStats.ACTION,
                NodeStats.request("data:true"),
                ActionListener.map(
                    listener,
                    stats -> page(List.of(manifest), 1, metadata, states(manifest.id(), stats)))),
        listener::onFailure);
  }

  private static List<ModelNodes.NodeState> states(
      ModelId id, NodesAction.Response<NodeStats> stats) {
    List<ModelNodes.NodeState> states = new ArrayList<>();
    for (NodesAction.NodeResponse<NodeStats> node : stats.getNodes()) {
      node.value().models().stream()
          .filter(state -> state.id().equals(id))
          .forEach(state -> states.add(ModelNodes.NodeState.of(node.getNode(), state)));
    }
    return states;
  }

  private static ListRequest.Page<Model> page(
      List<ModelManifest> manifests,
      int total,
      Map<String, Map<String, Object>> metadata,
      List<ModelNodes.NodeState> nodes) {
    return new ListRequest.Page<>(
        total,
        manifests.stream()
            .map(
                manifest ->
                    new Model(
                        manifest, metadata.getOrDefault(manifest.id().name(), Map.of()), nodes))
            .toList());
  }

  /**
   * Removes a model from the cluster state, then deletes its documents. A model to which an alias
   * points is not deleted, unless its documents are missing or damaged: then no search can use the
   * model, and it is deleted with its aliases.
   */
  public void delete(String name, ActionListener<AcknowledgedResponse> listener) {
    delete(
        new Activation.Request(
            ResourceNames.check("model", name), Change.OfModel.removal(Precondition.NONE, false)),
        Guard.recovering(
            listener,
            (l, failure) -> {
              if (ExceptionsHelper.status(failure) == RestStatus.CONFLICT) {
                deleteIfBroken(name, failure, l);
              } else {
                l.onFailure(failure);
              }
            }));
  }

  private void delete(Activation.Request request, ActionListener<AcknowledgedResponse> listener) {
    request.send(
        client,
        ActionListener.map(
            listener,
            published -> {
              ModelManifest replaced = published.value().replaced();
              if (replaced != null) {
                uploads.discard(replaced);
              }
              return new AcknowledgedResponse(published.value().acknowledged());
            }));
  }

  /**
   * Deletes a model and its aliases if the model's stored documents are damaged or missing, and no
   * node has loaded the model.
   *
   * @param conflict the failure for the listener if the model is not deleted
   */
  private void deleteIfBroken(
      String name, Exception conflict, ActionListener<AcknowledgedResponse> listener) {
    ModelManifest manifest = ModelsMetadata.of(clusterService.state()).get(name);
    if (manifest == null) {
      listener.onFailure(conflict);
      return;
    }
    GET.execute(
        client,
        new ListRequest(name),
        ActionListener.wrap(
            known -> {
              if (known.items().stream().anyMatch(Models::isLoaded)) {
                listener.onFailure(conflict);
              } else {
                store.verify(
                    manifest,
                    ActionListener.wrap(
                        whole -> listener.onFailure(conflict),
                        Guard.recovery(
                            listener,
                            failure -> {
                              if (StoredChunks.isBroken(failure)) {
                                delete(brokenVersion(manifest.id()), listener);
                              } else {
                                listener.onFailure(conflict);
                              }
                            })));
              }
            },
            unknown -> listener.onFailure(conflict)));
  }

  private static Activation.Request brokenVersion(ModelId id) {
    Precondition same = new Precondition(false, id.version());
    return new Activation.Request(id.name(), Change.OfModel.removal(same, true));
  }

  private static boolean isLoaded(Model model) {
    return model.nodes().stream().anyMatch(node -> node.state().phase() == ModelState.Phase.LOADED);
  }

  /**
   * Returns the uploaded file of a model, byte for byte, read from its stored chunks. The file's
   * memory is charged at the circuit breaker for models until the response is sent.
   */
  public void file(String name, ActionListener<StoredFile> listener) {
    ModelManifest manifest = ModelsMetadata.of(clusterService.state()).resolve(name);
    store.describe(
        manifest,
        ActionListener.wrap(
            description -> read(manifest, description.file(), listener), listener::onFailure));
  }

  private void read(
      ModelManifest manifest, UploadedFile file, ActionListener<StoredFile> listener) {
    // Twice the size, because the buffer that collects the chunks grows by doubling.
    MemoryCharge memory =
        breaker.reserve(
            3 * manifest.storedBytes() + file.bytes(), "<file of model " + manifest.id() + ">");
    ActionListener<StoredFile> closing = ActionListener.runAfter(listener, memory::close);
    store.read(
        manifest,
        ActionListener.wrap(
            gzip ->
                WorkPool.REPORTS
                    .of(threadPool)
                    .execute(ActionRunnable.supply(closing, () -> unpacked(manifest, file, gzip))),
            closing::onFailure));
  }

  /**
   * Unpacks the stored file, and returns it.
   *
   * @throws org.opensearch.OpenSearchStatusException (503) if the unpacked file differs from the
   *     uploaded file
   */
  private static StoredFile unpacked(ModelManifest manifest, UploadedFile file, byte[] gzip) {
    byte[] bytes;
    try {
      bytes = Gzip.decompress(gzip, file.bytes());
    } catch (IllegalArgumentException e) {
      throw StoredChunks.broken(manifest, "the model's stored file is damaged", e);
    }
    if (!ModelFile.sha256(bytes).equals(file.sha256())) {
      throw StoredChunks.broken(
          manifest, "the model's stored file differs from the uploaded file", null);
    }
    return new StoredFile(manifest.id(), file.name(), file.contentType(), new BytesArray(bytes));
  }
}
