// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.ValueResponse;
import io.quickscorer.plugin.model.FeatureBinding;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.RecentRequests.Entry;
import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.model.node.CatalogueKeeper;
import io.quickscorer.plugin.model.node.ChangeFence;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.wire.WireRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.ResourceNotFoundException;
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
 * Changes the cluster state: points an alias at versions that every data node has compiled, or
 * removes the alias. Runs on the elected cluster manager, one change after the other.
 */
public final class TransportActivateAliasAction
    extends TransportActivationAction<
        TransportActivateAliasAction.Change, TransportActivateAliasAction.Published> {
  public static final ActionType<ValueResponse<Published>> ACTION =
      new ActionType<>(
          "cluster:admin/quickscorer/alias/publish", ValueResponse.reader(Published.class));

  /**
   * The change of an alias to publish in the cluster state.
   *
   * @param target the models to which the alias will point, or null to remove the alias
   * @param loaded the version of each of the target's models that all data nodes have loaded
   * @param ifTarget the target that the alias must have before this change; null for no condition
   */
  record Change(@Nullable Shares target, List<ModelId> loaded, @Nullable Shares ifTarget)
      implements ActivationRequest.Change {}

  /**
   * The alias before and after the change.
   *
   * @param acknowledged whether all nodes have the change; if not, the others get it later
   * @param before the alias before the change, or null if there was none with this name
   * @param after the alias after the change, or null if it was removed
   */
  record Published(boolean acknowledged, @Nullable ModelAlias before, @Nullable ModelAlias after)
      implements WireRecord {}

  @Inject
  public TransportActivateAliasAction(
      TransportService transportService,
      ClusterService clusterService,
      ThreadPool threadPool,
      ActionFilters filters,
      IndexNameExpressionResolver resolver,
      ModelSettings settings,
      CatalogueKeeper keeper,
      ChangeFence fence) {
    super(
        "alias",
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
  }

  @Override
  protected Publication publication(
      ActivationRequest<Change> request, ActionListener<ValueResponse<Published>> listener) {
    return new AliasPublication(request, listener);
  }

  /** Returns the exception for an alias that does not exist (404). */
  static ResourceNotFoundException missing(String name) {
    return new ResourceNotFoundException("no alias [" + FeatureBinding.shown(name) + "]");
  }

  private final class AliasPublication extends Publication {
    private @Nullable ModelAlias before;
    private @Nullable ModelAlias after;

    AliasPublication(
        ActivationRequest<Change> request, ActionListener<ValueResponse<Published>> listener) {
      super(request, listener);
    }

    @Override
    protected void repeat(Entry earlier) {
      before = earlier.alias();
      after = request.change().target() == null ? null : moved(request.change().target());
    }

    @Override
    protected boolean existed() {
      return before != null;
    }

    @Override
    protected @Nullable ModelAlias alias() {
      return before;
    }

    private ModelAlias moved(Shares target) {
      return before == null ? new ModelAlias(request.name(), target, null) : before.movedTo(target);
    }

    @Override
    protected ClusterState change(ClusterState state) {
      ModelsMetadata models = ModelsMetadata.of(state);
      String name = request.name();
      before = models.aliases().get(name);
      Shares target = request.change().target();
      if (target == null) {
        if (before == null) {
          throw missing(name);
        }
        return models.withoutAlias(name).in(state);
      }
      check(models);
      after = moved(target);
      return after.equals(before) ? state : models.with(after).in(state);
    }

    private void check(ModelsMetadata models) {
      String name = request.name();
      if (models.get(name) != null) {
        throw conflict("a model already has this name; choose another name");
      }
      for (ModelId id : request.change().loaded()) {
        ModelManifest manifest = models.get(id.name());
        if (manifest == null) {
          throw ModelService.missing(id.name());
        }
        if (!manifest.id().equals(id)) {
          throw ChangeFence.forNow(
              conflict(
                  "model ["
                      + id.name()
                      + "] was replaced while the nodes loaded its previous version; send the"
                      + " request again"));
        }
      }
      if (request.change().ifTarget() != null
          && (before == null || !before.target().equals(request.change().ifTarget()))) {
        throw conflict(
            "another request moved the alias first; read the alias and send the request again");
      }
      if (before == null) {
        checkRoom(models.aliases().size(), "aliases");
      }
    }

    @Override
    protected Published result(boolean acknowledged) {
      return new Published(acknowledged, before, after);
    }
  }
}
