package io.quickscorer.plugin.action;

import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelService;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ModelsMetadata;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.ResourceNotFoundException;
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
public final class TransportPublishAliasAction
    extends TransportClusterManagerNodeAction<
        PublishAliasAction.Request, PublishAliasAction.Response> {
  private final ModelSettings settings;

  @Inject
  public TransportPublishAliasAction(
      TransportService transportService,
      ClusterService clusterService,
      ThreadPool threadPool,
      ActionFilters filters,
      IndexNameExpressionResolver resolver,
      ModelSettings settings) {
    super(
        PublishAliasAction.NAME,
        transportService,
        clusterService,
        threadPool,
        filters,
        PublishAliasAction.Request::new,
        resolver);
    this.settings = settings;
  }

  @Override
  protected String executor() {
    return ThreadPool.Names.SAME;
  }

  @Override
  protected PublishAliasAction.Response read(StreamInput in) throws IOException {
    return new PublishAliasAction.Response(in);
  }

  @Override
  protected @Nullable ClusterBlockException checkBlock(
      PublishAliasAction.Request request, ClusterState state) {
    return state.blocks().globalBlockedException(ClusterBlockLevel.METADATA_WRITE);
  }

  @Override
  protected void clusterManagerOperation(
      PublishAliasAction.Request request,
      ClusterState state,
      ActionListener<PublishAliasAction.Response> listener) {
    clusterService.submitStateUpdateTask(
        "publish alias [" + request.name() + "]", new Publication(request, listener));
  }

  /** The failure of a look-up by name: 404. */
  static ResourceNotFoundException missing(String name) {
    return new ResourceNotFoundException("no alias [" + name + "]");
  }

  private final class Publication extends AckedClusterStateUpdateTask<PublishAliasAction.Response> {
    private final PublishAliasAction.Request request;
    private @Nullable ModelAlias before;
    private @Nullable ModelAlias after;

    Publication(
        PublishAliasAction.Request request, ActionListener<PublishAliasAction.Response> listener) {
      super(Priority.HIGH, request, listener);
      this.request = request;
    }

    @Override
    public ClusterState execute(ClusterState state) {
      ModelsMetadata models = ModelsMetadata.of(state);
      String name = request.name();
      before = models.aliases().get(name);
      ModelId target = request.target();
      if (target == null) {
        if (before == null) {
          throw missing(name);
        }
        return models.withoutAlias(name).in(state);
      }
      check(models, target);
      after =
          before == null
              ? new ModelAlias(name, target.name(), null)
              : before.movedTo(target.name());
      return after.equals(before) ? state : models.with(after).in(state);
    }

    private void check(ModelsMetadata models, ModelId target) {
      String name = request.name();
      if (models.get(name) != null) {
        throw conflict("there is a model of that name");
      }
      ModelManifest manifest = models.get(target.name());
      if (manifest == null) {
        throw ModelService.missing(target.name());
      }
      if (!manifest.id().equals(target)) {
        throw conflict(
            "model [" + target.name() + "] was replaced while its former version was loaded");
      }
      if (request.ifModel() != null
          && (before == null || !before.model().equals(request.ifModel()))) {
        throw conflict("it was moved meanwhile");
      }
      int most = settings.get(ModelSettings.MAX_COUNT);
      if (before == null && models.aliases().size() >= most) {
        throw new IllegalArgumentException(
            "there are "
                + models.aliases().size()
                + " aliases, the most allowed by setting ["
                + ModelSettings.MAX_COUNT.getKey()
                + "] is "
                + most);
      }
    }

    private OpenSearchStatusException conflict(String why) {
      return new OpenSearchStatusException(
          "alias [{}]: {}", RestStatus.CONFLICT, request.name(), why);
    }

    @Override
    protected PublishAliasAction.Response newResponse(boolean acknowledged) {
      return new PublishAliasAction.Response(before, after);
    }
  }
}
