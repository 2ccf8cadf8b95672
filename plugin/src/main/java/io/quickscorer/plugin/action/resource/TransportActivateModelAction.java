// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.Precondition;
import io.quickscorer.plugin.action.ValueResponse;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.RecentRequests.Entry;
import io.quickscorer.plugin.model.node.CatalogueKeeper;
import io.quickscorer.plugin.model.node.ChangeFence;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.node.UploadSweeper;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.wire.WireRecord;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/**
 * Changes the cluster state: makes a stored version the current one of its name, or removes a name.
 * Runs on the elected cluster manager, one change after the other.
 */
public final class TransportActivateModelAction
    extends TransportActivationAction<
        TransportActivateModelAction.Change, TransportActivateModelAction.Published> {
  public static final String NAME = "cluster:admin/quickscorer/model/publish";
  public static final ActionType<ValueResponse<Published>> ACTION =
      new ActionType<>(NAME, ValueResponse.reader(Published.class));

  /**
   * The change to publish in the cluster state.
   *
   * @param manifest the version that becomes current, or null to remove the name
   * @param withAliases whether the aliases of a removed name are removed too
   * @param confirmation whether the request only checks that the version is current and changes
   *     nothing
   * @param index the incarnation of the index to which the version's documents were written
   */
  record Change(
      @Nullable ModelManifest manifest,
      Precondition precondition,
      boolean withAliases,
      boolean confirmation,
      String index)
      implements ActivationRequest.Change {}

  /**
   * Returns a request that makes a version current; it fails if another index meanwhile replaced
   * the one to which the version's documents were written.
   */
  static ActivationRequest<Change> put(
      ModelManifest manifest, Precondition precondition, String index) {
    return new ActivationRequest<>(
        manifest.id().name(), new Change(manifest, precondition, false, false, index));
  }

  /**
   * Returns a request that changes nothing. It is refused if the version is not current in the
   * cluster manager's state.
   */
  static ActivationRequest<Change> confirm(ModelManifest manifest) {
    return new ActivationRequest<>(
        manifest.id().name(), new Change(manifest, Precondition.NONE, false, true, ""));
  }

  /** Returns a request that removes a name; it fails if an alias points to the name. */
  static ActivationRequest<Change> delete(String name) {
    return new ActivationRequest<>(name, new Change(null, Precondition.NONE, false, false, ""));
  }

  /**
   * Returns a request that removes a version's name and the aliases of the name; it fails if the
   * name meanwhile points to another version.
   */
  static ActivationRequest<Change> deleteWithAliases(ModelId id) {
    return new ActivationRequest<>(
        id.name(), new Change(null, new Precondition(false, id.version()), true, false, ""));
  }

  /**
   * The result of a change to a model's name.
   *
   * @param acknowledged whether all nodes have the change; if not, the others get it later
   * @param existed whether there was a model of this name before
   * @param replaced the manifest that was replaced, or null if there was none, or if the request is
   *     a copy of one that was already carried out
   */
  record Published(boolean acknowledged, boolean existed, @Nullable ModelManifest replaced)
      implements WireRecord {}

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
        ACTION,
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
    private boolean existed;
    private @Nullable ModelManifest replaced;

    ModelPublication(
        ActivationRequest<Change> request, ActionListener<ValueResponse<Published>> listener) {
      super(request, listener);
    }

    @Override
    protected void repeat(Entry earlier) {
      existed = earlier.existed();
    }

    @Override
    protected boolean existed() {
      return existed;
    }

    @Override
    protected ClusterState change(ClusterState state) {
      ModelsMetadata models = ModelsMetadata.of(state);
      ModelManifest current = models.get(request.name());
      existed = current != null;
      ModelManifest manifest = request.change().manifest();
      if (manifest == null) {
        if (current == null) {
          throw ModelService.missing(request.name());
        }
        request.change().precondition().check(request.name(), current);
        replaced = current;
        ModelsMetadata left = models;
        for (ModelAlias alias : models.aliasesOf(request.name())) {
          if (!request.change().withAliases()) {
            throw conflict(
                "alias [" + alias.name() + "] points to the model; move or delete the alias first");
          }
          left = left.withoutAlias(alias.name());
        }
        return left.without(request.name()).in(state);
      }
      if (request.change().confirmation()) {
        if (current == null || !current.upload().equals(manifest.upload())) {
          throw conflict("another request has replaced or deleted the model");
        }
        return state;
      }
      sweeper.checkFresh(manifest);
      if (!request.change().index().equals(ModelIndex.incarnation(state))) {
        throw ChangeFence.forNow(
            conflict(
                "the index of models was deleted or restored during the upload; upload again"));
      }
      if (models.aliases().containsKey(request.name())) {
        throw conflict("an alias already has this name; choose another name");
      }
      request.change().precondition().check(request.name(), current);
      if (current == null) {
        checkRoom(models.models().size(), "models");
      }
      replaced = current;
      return models.with(manifest).in(state);
    }

    @Override
    protected Published result(boolean acknowledged) {
      return new Published(acknowledged, existed, replaced);
    }
  }
}
