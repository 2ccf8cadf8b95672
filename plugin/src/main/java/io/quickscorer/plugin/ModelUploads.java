// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.action.ValueResponse;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ModelDescription;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.node.ChangeFence;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import io.quickscorer.plugin.model.upload.PreparedModel;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.action.StepListener;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;

/**
 * Uploads models: checks a model, stores it, lets all data nodes load it, and then makes it the
 * current version of its name. If any of this fails, no search ever uses the model.
 *
 * @param client acts with the plugin's permissions
 */
record ModelUploads(
    ModelUploadService uploads,
    ClusterService clusterService,
    ModelNodes nodes,
    GuardedClient client) {
  public static final PluginAction<Request, Response> PUT =
      PluginAction.local("cluster:admin/quickscorer/model/put");

  /** The maximum time to wait for nodes to load the model, if the request does not set one. */
  public static final TimeValue DEFAULT_TIMEOUT = TimeValue.timeValueSeconds(30);

  /**
   * A request to upload a model.
   *
   * @param body the model's file and its options
   * @param precondition the state that the user requires of an existing model
   * @param timeout the maximum time to wait for nodes to load the model
   * @param background whether the task API stores the result, because no client waits for it
   */
  public record Request(
      ModelUploadService.Body body,
      Precondition precondition,
      TimeValue timeout,
      boolean background)
      implements ValueRequest.Tracked {
    public Request(ModelUploadService.Body body, Precondition precondition, TimeValue timeout) {
      this(body, precondition, timeout, false);
    }

    /**
     * Creates a cancellable task. An upload that is cancelled before it publishes the model stores
     * nothing.
     */
    @Override
    public Task task(ValueRequest.TaskFields fields) {
      return new ProgressTask(fields, description(), "reading and compiling the file");
    }

    String description() {
      return "upload of model [" + body.name() + "]";
    }
  }

  /** The effect of an upload on the cluster's models. */
  public enum Result {
    /** The upload created the model: no model had this name before. */
    CREATED,
    /**
     * The upload replaced another version. It is also the result if the version is unchanged, but
     * the upload had new ranges of feature values, or the stored file was lost.
     */
    UPDATED,
    /**
     * Nothing changed: this version was already current, and the upload had no new ranges of
     * feature values.
     */
    NOOP;

    public RestStatus status() {
      return this == CREATED ? RestStatus.CREATED : RestStatus.OK;
    }
  }

  /**
   * The result of an upload.
   *
   * @param acknowledged whether the model is current on all nodes; if not, the remaining nodes get
   *     the model later
   * @param nodes the state of the model on each data node
   */
  public record Response(
      ModelId id,
      Result result,
      boolean acknowledged,
      Map<String, Object> metadata,
      List<ModelNodes.NodeState> nodes)
      implements StatusToXContentObject {
    @Override
    public RestStatus status() {
      return result.status();
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject();
      builder.field("name", id.name()).field("version", id.version());
      builder.field("result", result.name().toLowerCase(Locale.ROOT));
      builder.field("acknowledged", acknowledged);
      builder.mapContents(metadata);
      ModelNodes.NodeState.toXContent(nodes, builder, params);
      return builder.endObject();
    }
  }

  private static final Logger LOGGER = LogManager.getLogger(ModelUploads.class);

  /** Uploads a model: checks, stores, loads and publishes it. */
  public void put(Task task, Request request, ActionListener<Response> listener) {
    ResourceNames.check("model", request.body().name());
    ProgressTask upload = (ProgressTask) task;
    uploads.prepare(
        request.body(),
        ActionListener.wrap(
            model -> begin(upload, request, model, listener),
            failure -> listener.onFailure(upload.isCancelled() ? cancelled(request) : failure)));
  }

  private void begin(
      ProgressTask task, Request request, PreparedModel model, ActionListener<Response> listener) {
    ActionListener<Response> closing =
        ActionListener.notifyOnce(ActionListener.runBefore(listener, model::close));
    try {
      new Upload(this, task, request, model, closing).begin();
    } catch (RuntimeException e) {
      closing.onFailure(e);
    }
  }

  private static TaskCancelledException cancelled(Request request) {
    return new TaskCancelledException("the " + request.description() + " was cancelled");
  }

  private record Upload(
      ModelUploads to,
      ProgressTask task,
      Request request,
      PreparedModel model,
      ActionListener<Response> listener) {
    private void begin() {
      String name = model.id().name();
      ModelManifest current = ModelsMetadata.of(to.clusterService.state()).get(name);
      request.precondition().check(name, current);
      if (current == null || !current.id().equals(model.id())) {
        store();
        return;
      }
      to.uploads.isStored(
          current,
          model,
          ActionListener.wrap(
              stored -> {
                if (stored) {
                  loadAgain(current);
                } else {
                  store();
                }
              },
              listener::onFailure));
    }

    private void loadAgain(ModelManifest current) {
      to.nodes.load(
          current,
          request.timeout(),
          this::loaded,
          ActionListener.wrap(states -> confirm(current, states), listener::onFailure));
    }

    /**
     * Sends a request to the cluster manager to confirm that the version is still current, because
     * this node's cluster state may be old.
     *
     * @param states the state of the version on each data node
     */
    private void confirm(ModelManifest current, List<ModelNodes.NodeState> states) {
      change(Change.OfModel.confirmation(current))
          .send(
              to.client,
              ActionListener.wrap(
                  confirmed -> respond(Result.NOOP, confirmed.value().acknowledged(), states),
                  Guard.recovery(
                      listener,
                      failure -> {
                        if (ChangeFence.isRefused(failure)) {
                          store();
                        } else {
                          listener.onFailure(failure);
                        }
                      })));
    }

    private Activation.Request change(Change.OfModel change) {
      return new Activation.Request(model.id().name(), change).timeout(request.timeout());
    }

    private void store() {
      task.at("storing the model");
      StepListener<Void> ready = new StepListener<>();
      to.uploads.store().ensureIndex(ready);
      Guard.then(
          ready,
          created -> write(ModelIndex.incarnation(to.clusterService.state())),
          listener::onFailure);
    }

    /**
     * Writes the documents of the model to the index.
     *
     * @param index the {@link ModelIndex#incarnation} (identity) of the index before this write
     */
    private void write(String index) {
      to.uploads.store(
          model, ActionListener.wrap(stored -> load(stored, index), listener::onFailure));
    }

    private void loaded(int answered, int asked) {
      task.at("loaded on " + answered + " of " + asked + " nodes");
    }

    /**
     * Lets all data nodes load the stored version.
     *
     * @param index the {@link ModelIndex#incarnation} (identity) of the index before the model was
     *     written
     */
    private void load(ModelManifest manifest, String index) {
      to.nodes.load(
          manifest,
          request.timeout(),
          this::loaded,
          ActionListener.wrap(
              states -> publish(manifest, index, states),
              Guard.recovery(listener, failure -> discard(manifest, failure))));
    }

    private void publish(ModelManifest manifest, String index, List<ModelNodes.NodeState> states) {
      if (task.isCancelled()) {
        discard(manifest, cancelled(request));
        return;
      }
      change(Change.OfModel.publication(manifest, request.precondition(), index))
          .send(
              to.client,
              // Not ActionListener.wrap: it would call onFailure if onResponse throws, and
              // that would discard a published version.
              new ActionListener<>() {
                @Override
                public void onResponse(ValueResponse<Activation.Published> published) {
                  ModelManifest replaced = published.value().replaced();
                  if (replaced != null) {
                    to.uploads.discard(replaced);
                  }
                  if (model.metadata().get(ModelDescription.WARNINGS) instanceof List<?> warnings) {
                    LOGGER.warn("model [{}] is accepted with warnings: {}", model.id(), warnings);
                  }
                  // The nodes reported these states before the version became current.
                  List<ModelNodes.NodeState> now =
                      states.stream().map(ModelNodes.NodeState::asCurrent).toList();
                  respond(
                      published.value().existed() ? Result.UPDATED : Result.CREATED,
                      published.value().acknowledged(),
                      now);
                }

                @Override
                public void onFailure(Exception failure) {
                  if (ChangeFence.isRefused(failure)) {
                    discard(manifest, failure);
                    return;
                  }
                  // The cluster manager may have published the version, or may do so later. So
                  // it is not deleted here, but by the sweeper or by the next version of the name.
                  to.nodes.release(manifest);
                  listener.onFailure(failure);
                }
              });
    }

    /** Deletes the documents of a version that will not be published, and fails the upload. */
    private void discard(ModelManifest manifest, Exception failure) {
      to.nodes.release(manifest);
      to.uploads.discard(manifest);
      listener.onFailure(failure);
    }

    private void respond(Result result, boolean acknowledged, List<ModelNodes.NodeState> states) {
      listener.onResponse(new Response(model.id(), result, acknowledged, model.metadata(), states));
    }
  }
}
