// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.model.ForeignVersion;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.StateWait;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.threadpool.ThreadPool;

/** Finds the current versions of models, and creates the exceptions for other versions. */
record CurrentVersions(ClusterService clusterService, ThreadPool threadPool) {
  /** The time after which a new cluster state is assumed to have reached this node. */
  private static final TimeValue MAX_LAG = TimeValue.timeValueSeconds(1);

  ModelsMetadata all() {
    return ModelsMetadata.of(clusterService.state());
  }

  /** Returns the cluster state's entry (manifest) of a version; null if it is not current. */
  @Nullable ModelManifest get(ModelId id) {
    return all().get(id);
  }

  /** Returns the exception for a search that uses a version which is not current. */
  OpenSearchStatusException foreign(ModelId id) {
    return ForeignVersion.failure(
        id, all().get(id.name()), clusterService.getClusterName().value());
  }

  /**
   * Returns the exception to report for a failed use of a version. This is the result of {@link
   * #foreign} if the version is no longer current, otherwise {@code failure}. Before the cluster
   * state is recovered, current versions are unknown; then {@code failure} is returned.
   */
  Exception explained(ModelId id, Exception failure) {
    try {
      if (get(id) != null) {
        return failure;
      }
      OpenSearchStatusException foreign = foreign(id);
      foreign.addSuppressed(failure);
      return foreign;
    } catch (ClusterBlockException e) {
      failure.addSuppressed(e);
      return failure;
    }
  }

  /**
   * Returns a listener that passes on responses, and each failure as {@link #explained} returns it.
   */
  <T> ActionListener<T> explaining(ModelId id, ActionListener<T> listener) {
    return Guard.recovering(listener, (to, failure) -> to.onFailure(explained(id, failure)));
  }

  /** Calls the listener as soon as a version is not current, see {@link ModelLookup#whenGone}. */
  void whenGone(ModelId id, ActionListener<Void> listener) {
    StateWait.until(
        clusterService,
        threadPool,
        state -> ModelsMetadata.isRecovered(state) && ModelsMetadata.of(state).get(id) == null,
        MAX_LAG,
        waited -> foreign(id),
        listener);
  }
}
