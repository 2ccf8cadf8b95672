// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.RecentRequests.Entry;
import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.model.node.ChangeFence;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.wire.WireRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.ClusterState;
import org.opensearch.core.rest.RestStatus;

/**
 * A change of the cluster state: points a model's name at another version, or an alias at other
 * models; or removes the name.
 */
sealed interface Change extends WireRecord {
  /** Returns the kind of object whose name is changed (a model or an alias), for messages. */
  String kind();

  /**
   * Returns the result that the change will have.
   *
   * @param name the name of the changed model or alias
   * @param models the models and aliases before the change
   */
  Activation.Published published(String name, ModelsMetadata models);

  /** Returns the result for a request whose {@code earlier} copy was already carried out. */
  Activation.Published repeated(String name, Entry earlier);

  /**
   * Returns a cluster state with the change, or {@code state} itself if nothing changes.
   *
   * @param published the result of {@link #published}
   * @throws org.opensearch.OpenSearchException if the current models and aliases do not allow the
   *     change
   */
  ClusterState change(
      String name,
      ClusterState state,
      Activation.Published published,
      Activation.Services services);

  /** Returns the exception (409) for a request that the current cluster state does not allow. */
  private static OpenSearchStatusException conflict(String kind, String name, String why) {
    return new OpenSearchStatusException("{} [{}]: {}", RestStatus.CONFLICT, kind, name, why);
  }

  /**
   * A change of the version to which a model's name points.
   *
   * @param manifest the version that becomes current, or null to remove the name
   * @param withAliases whether the aliases of a removed name are removed too
   * @param confirmation whether the request only checks that the version is current
   * @param index the {@link ModelIndex#incarnation} of the index of models; the change fails if the
   *     index was deleted or restored since the upload began
   */
  record OfModel(
      @Nullable ModelManifest manifest,
      Precondition precondition,
      boolean withAliases,
      boolean confirmation,
      String index)
      implements Change {
    /** Returns a change that makes a version current. */
    static OfModel publication(ModelManifest manifest, Precondition precondition, String index) {
      return new OfModel(manifest, precondition, false, false, index);
    }

    /** Returns a request that changes nothing, and fails if the version is no longer current. */
    static OfModel confirmation(ModelManifest manifest) {
      return new OfModel(manifest, Precondition.NONE, false, true, "");
    }

    /** Returns a change that removes the model's name. */
    static OfModel removal(Precondition precondition, boolean withAliases) {
      return new OfModel(null, precondition, withAliases, false, "");
    }

    @Override
    public String kind() {
      return "model";
    }

    @Override
    public Activation.Published published(String name, ModelsMetadata models) {
      ModelManifest current = models.get(name);
      return new Activation.Published(
          false, current != null, confirmation ? null : current, null, null);
    }

    @Override
    public Activation.Published repeated(String name, Entry earlier) {
      return new Activation.Published(false, earlier.existed(), null, null, null);
    }

    @Override
    public ClusterState change(
        String name,
        ClusterState state,
        Activation.Published published,
        Activation.Services services) {
      ModelsMetadata models = ModelsMetadata.of(state);
      ModelManifest current = models.get(name);
      if (manifest == null) {
        precondition.check(name, models.model(name));
        ModelsMetadata left = models;
        for (ModelAlias alias : models.aliasesOf(name)) {
          if (!withAliases) {
            throw conflict(
                kind(),
                name,
                "alias [" + alias.name() + "] points to the model; move or delete the alias first");
          }
          left = left.withoutAlias(alias.name());
        }
        return left.without(name).in(state);
      }
      if (confirmation) {
        if (current == null || !current.upload().equals(manifest.upload())) {
          throw conflict(kind(), name, "another request has replaced or deleted the model");
        }
        return state;
      }
      services.sweeper().checkFresh(manifest);
      if (!index.equals(ModelIndex.incarnation(state))) {
        throw ChangeFence.forNow(
            conflict(
                kind(),
                name,
                "the index of models was deleted or restored during the upload; upload again"));
      }
      if (models.aliases().containsKey(name)) {
        throw conflict(kind(), name, "an alias already has this name; choose another name");
      }
      precondition.check(name, current);
      if (current == null) {
        services.checkRoom(models.models().size(), "models");
      }
      return models.with(manifest).in(state);
    }
  }

  /**
   * A change of the models to which an alias points.
   *
   * @param target the models to which the alias will point, or null to remove the alias
   * @param loaded the versions of the target's models that all data nodes have loaded
   * @param ifAlias the change fails if the alias is not equal to this one; null for no condition
   */
  record OfAlias(@Nullable Shares target, List<ModelId> loaded, @Nullable ModelAlias ifAlias)
      implements Change {
    @Override
    public String kind() {
      return "alias";
    }

    @Override
    public Activation.Published published(String name, ModelsMetadata models) {
      return published(name, models.aliases().get(name));
    }

    @Override
    public Activation.Published repeated(String name, Entry earlier) {
      return published(name, earlier.alias());
    }

    private Activation.Published published(String name, @Nullable ModelAlias before) {
      ModelAlias after = null;
      if (target != null) {
        after = before == null ? new ModelAlias(name, target, null) : before.movedTo(target);
      }
      return new Activation.Published(false, before != null, null, before, after);
    }

    @Override
    public ClusterState change(
        String name,
        ClusterState state,
        Activation.Published published,
        Activation.Services services) {
      ModelsMetadata models = ModelsMetadata.of(state);
      ModelAlias before = published.before();
      ModelAlias after = published.after();
      if (after == null) {
        return models.withoutAlias(models.alias(name).name()).in(state);
      }
      if (models.get(name) != null) {
        throw conflict(kind(), name, "a model already has this name; choose another name");
      }
      for (ModelId id : loaded) {
        if (!models.model(id.name()).id().equals(id)) {
          throw ChangeFence.forNow(
              conflict(
                  kind(),
                  name,
                  "model ["
                      + id.name()
                      + "] was replaced while the nodes loaded its previous version; send the"
                      + " request again"));
        }
      }
      if (ifAlias != null && !ifAlias.equals(before)) {
        throw conflict(
            kind(),
            name,
            "another request moved the alias first; read the alias and send the request again");
      }
      if (before == null) {
        services.checkRoom(models.aliases().size(), "aliases");
      }
      return after.equals(before) ? state : models.with(after).in(state);
    }
  }
}
