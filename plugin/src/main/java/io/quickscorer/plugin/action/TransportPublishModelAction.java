package io.quickscorer.plugin.action;

import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelService;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ModelsMetadata;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.clustermanager.TransportClusterManagerNodeAction;
import org.opensearch.cluster.AckedClusterStateUpdateTask;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.Priority;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Runs on the elected cluster manager, one change after the other. */
public final class TransportPublishModelAction
    extends TransportClusterManagerNodeAction<
        PublishModelAction.Request, PublishModelAction.Response> {
  private final ModelSettings settings;

  @Inject
  public TransportPublishModelAction(
      TransportService transportService,
      ClusterService clusterService,
      ThreadPool threadPool,
      ActionFilters filters,
      IndexNameExpressionResolver resolver,
      ModelSettings settings) {
    super(
        PublishModelAction.NAME,
        transportService,
        clusterService,
        threadPool,
        filters,
        PublishModelAction.Request::new,
        resolver);
    this.settings = settings;
  }

  @Override
  protected String executor() {
    return ThreadPool.Names.SAME;
  }

  @Override
  protected PublishModelAction.Response read(StreamInput in) throws IOException {
    return new PublishModelAction.Response(in);
  }

  @Override
  protected @Nullable ClusterBlockException checkBlock(
      PublishModelAction.Request request, ClusterState state) {
    return state.blocks().globalBlockedException(ClusterBlockLevel.METADATA_WRITE);
  }

  @Override
  protected void clusterManagerOperation(
      PublishModelAction.Request request,
      ClusterState state,
      ActionListener<PublishModelAction.Response> listener) {
    clusterService.submitStateUpdateTask(
        "publish model [" + request.name() + "]", new Publication(request, listener));
  }

  private final class Publication extends AckedClusterStateUpdateTask<PublishModelAction.Response> {
    private final PublishModelAction.Request request;
    private @Nullable ModelManifest replaced;

    Publication(
        PublishModelAction.Request request, ActionListener<PublishModelAction.Response> listener) {
      super(Priority.HIGH, request, listener);
      this.request = request;
    }

    @Override
    public ClusterState execute(ClusterState state) {
      ModelsMetadata models = ModelsMetadata.of(state);
      ModelManifest there = models.get(request.name());
      ModelManifest manifest = request.manifest();
      if (manifest == null) {
        if (there == null) {
          throw ModelService.missing(request.name());
        }
        ModelAlias alias = models.aliasOf(request.name());
        if (alias != null) {
          throw new OpenSearchStatusException(
              "model [{}]: alias [{}] stands for it; move or delete the alias first",
              RestStatus.CONFLICT,
              request.name(),
              alias.name());
        }
        replaced = there;
        return models.without(request.name()).in(state);
      }
      if (there != null && there.upload().equals(manifest.upload())) {
        // The answer to a first attempt was lost with the manager that gave it.
        return state;
      }
      if (models.aliases().containsKey(request.name())) {
        throw new OpenSearchStatusException(
            "model [{}]: there is an alias of that name", RestStatus.CONFLICT, request.name());
      }
      request.precondition().check(request.name(), there);
      checkCount(models, there);
      replaced = there;
      return models.with(manifest).in(state);
    }

    private void checkCount(ModelsMetadata models, @Nullable ModelManifest there) {
      int most = settings.get(ModelSettings.MAX_COUNT);
      if (there == null && models.models().size() >= most) {
        throw new IllegalArgumentException(
            "there are "
                + models.models().size()
                + " models, the most allowed by setting ["
                + ModelSettings.MAX_COUNT.getKey()
                + "] is "
                + most);
      }
    }

    @Override
    protected PublishModelAction.Response newResponse(boolean acknowledged) {
      return new PublishModelAction.Response(replaced);
    }
  }
}
