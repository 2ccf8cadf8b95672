// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.action.ValueResponse;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.ModelState.Phase;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.wire.WireRecord;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/**
 * Loads or releases a stored version on the node that receives the request, and returns the
 * version's state on this node. A version is loaded before it becomes current. No thread waits for
 * the load. Only nodes send this request.
 */
public final class TransportLoadModelAction
    extends HandledTransportAction<
        ValueRequest<TransportLoadModelAction.Request>, ValueResponse<NodeModelState>> {
  public static final String NAME = "cluster:admin/quickscorer/model/load";
  public static final ActionType<ValueResponse<NodeModelState>> ACTION =
      new ActionType<>(NAME, ValueResponse.reader(NodeModelState.class));

  /**
   * A request to load or release a version of a model.
   *
   * @param release whether to release the version instead of loading it
   */
  public record Request(ModelManifest manifest, boolean release)
      implements WireRecord, ValueRequest.Tracked {
    @Override
    public Task task(
        long id, String type, String action, TaskId parent, Map<String, String> headers) {
      String what = (release ? "release of model [" : "load of model [") + manifest.id() + "]";
      return new LoadTask(id, type, action, what, parent, headers);
    }
  }

  /** A task whose description shows the progress of the load on this node. */
  static final class LoadTask extends Task {
    private volatile @Nullable Supplier<String> progress;

    private LoadTask(
        long id,
        String type,
        String action,
        String what,
        TaskId parent,
        Map<String, String> headers) {
      super(id, type, action, what, parent, headers);
    }

    /**
     * Sets the source of the text about the load's progress. Any thread may call the source, once
     * for each read of the task's description.
     */
    void follow(Supplier<String> asked) {
      progress = asked;
    }

    @Override
    public String getDescription() {
      Supplier<String> asked = progress;
      return super.getDescription() + (asked == null ? "" : ": " + asked.get());
    }
  }

  private final ModelService models;
  private final ClusterService clusterService;

  @Inject
  public TransportLoadModelAction(
      TransportService transportService,
      ActionFilters filters,
      ModelService models,
      ClusterService clusterService) {
    super(NAME, transportService, filters, in -> new ValueRequest<>(in, Request.class));
    this.models = models;
    this.clusterService = clusterService;
  }

  @Override
  protected void doExecute(
      Task task,
      ValueRequest<Request> request,
      ActionListener<ValueResponse<NodeModelState>> listener) {
    ModelManifest manifest = request.value().manifest();
    ModelId id = manifest.id();
    if (request.value().release()) {
      models.release(id);
      listener.onResponse(response(id));
    } else {
      ((LoadTask) task).follow(() -> progress(id));
      models.loadAhead(manifest, ActionListener.map(listener, loaded -> response(id)));
    }
  }

  private ValueResponse<NodeModelState> response(ModelId id) {
    return new ValueResponse<>(new NodeModelState(clusterService.localNode(), state(id)));
  }

  private String progress(ModelId id) {
    return String.format(Locale.ROOT, "%.0f %% compiled", 100 * state(id).compiledShare());
  }

  private ModelState state(ModelId id) {
    return models.states().stream()
        .filter(s -> s.id().equals(id))
        .findFirst()
        .orElseGet(() -> unloaded(id));
  }

  static ModelState unloaded(ModelId id) {
    return new ModelState(id, Phase.LOADING, 0, false, "", 0, 0, List.of(), "");
  }
}
