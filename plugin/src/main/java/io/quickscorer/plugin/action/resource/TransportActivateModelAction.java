// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.ValueResponse;
import io.quickscorer.plugin.action.resource.ActivateModelAction.Change;
import io.quickscorer.plugin.action.resource.ActivateModelAction.Published;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.node.CatalogueKeeper;
import io.quickscorer.plugin.model.node.ChangeFence;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.node.UploadSweeper;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Runs on the elected cluster manager, one change after the other. */
public final class TransportActivateModelAction
    extends TransportActivationAction<Change, Published> {
  private final UploadSweeper sweeper;

  @Inject
  public TransportActivateModelAction(
      TransportService transportService,
      ClusterService clusterService,
      ThreadPool threadPool,
      ActionFilters filters,
      IndexNameExpressionResolver resolver,
      ModelSettings settings,
      CatalogueKeeper keeper,
      UploadSweeper sweeper,
      ChangeFence fence) {
    super(
        "model",
        ActivateModelAction.INSTANCE,
        Change.class,
        transportService,
        clusterService,
        threadPool,
        filters,
        resolver,
        settings,
        keeper,
        fence);
    this.sweeper = sweeper;
  }

  @Override
  protected Publication publication(
      ActivationRequest<Change> request, ActionListener<ValueResponse<Published>> listener) {
    return new ModelPublication(request, listener);
  }

  private final class ModelPublication extends Publication {
    private @Nullable ModelManifest replaced;

    ModelPublication(
        ActivationRequest<Change> request, ActionListener<ValueResponse<Published>> listener) {
      super(request, listener);
    }

    @Override
    protected ClusterState change(ClusterState state) {
      ModelsMetadata models = ModelsMetadata.of(state);
      ModelManifest there = models.get(request.name());
      ModelManifest manifest = request.change().manifest();
      if (manifest == null) {
        if (there == null) {
          throw ModelService.missing(request.name());
        }
        request.change().precondition().check(request.name(), there);
        replaced = there;
        ModelsMetadata left = models;
        for (ModelAlias alias : models.aliasesOf(request.name())) {
          if (!request.change().withAliases()) {
            throw conflict(
                "alias [" + alias.name() + "] stands for it; move or delete the alias first");
          }
          left = left.withoutAlias(alias.name());
        }
        return left.without(request.name()).in(state);
      }
      if (there != null && there.upload().equals(manifest.upload())) {
        // The answer to a first attempt was lost with the manager that gave it.
        return state;
      }
      if (request.change().confirmation()) {
        throw ChangeFence.stale(conflict("it was replaced or deleted meanwhile"));
      }
      sweeper.checkFresh(manifest);
      if (models.aliases().containsKey(request.name())) {
        throw conflict("there is an alias of that name");
      }
      request.change().precondition().check(request.name(), there);
      if (there == null) {
        checkRoom(models.models().size(), "models");
      }
      replaced = there;
      return models.with(manifest).in(state);
    }

    @Override
    protected Published result(boolean acknowledged) {
      return new Published(acknowledged, replaced);
    }
  }
}
