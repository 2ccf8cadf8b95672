// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.store.Catalogue;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.model.store.ModelStore;
import java.io.Closeable;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.lifecycle.Lifecycle;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * Deletes the documents of unfinished uploads, for example if a node stopped during an upload. An
 * upload is unfinished if neither the cluster state nor the {@link Catalogue} lists it, and it is
 * older than {@link ModelSettings#SWEEP_AFTER}. Works only on the elected cluster manager. Safe for
 * use by several threads.
 */
public final class UploadSweeper implements Closeable {
  private static final Logger LOGGER = LogManager.getLogger(UploadSweeper.class);

  /** The time between two checks for documents of unfinished uploads. */
  private static final TimeValue CHECK = TimeValue.timeValueSeconds(15);

  private final ClusterService clusterService;
  private final ThreadPool threadPool;
  private final ModelStore store;
  private final Catalogue catalogue;
  private final ModelSettings settings;
  private final CatalogueKeeper keeper;
  private final Scheduler.Cancellable sweeping;
  private volatile long lastSweep;

  UploadSweeper(
      ClusterService clusterService,
      ThreadPool threadPool,
      ModelStore store,
      Catalogue catalogue,
      ModelSettings settings,
      CatalogueKeeper keeper) {
    this.clusterService = clusterService;
    this.threadPool = threadPool;
    this.store = store;
    this.catalogue = catalogue;
    this.settings = settings;
    this.keeper = keeper;
    this.lastSweep = threadPool.relativeTimeInMillis();
    this.sweeping = Guard.repeat(threadPool, this::sweep, CHECK);
  }

  private long sweepAfter() {
    return settings.get(ModelSettings.SWEEP_AFTER).millis();
  }

  private void sweep() {
    long now = threadPool.relativeTimeInMillis();
    // Before the node has started, there is no cluster state.
    if (clusterService.lifecycleState() != Lifecycle.State.STARTED) {
      return;
    }
    if (now - lastSweep < sweepAfter() / 2 || !CatalogueKeeper.leads(clusterService.state())) {
      return;
    }
    lastSweep = now;
    keeper.synchronize(
        ActionListener.wrap(
            done -> sweepSynchronized(),
            failure -> LOGGER.debug("could not delete documents of unfinished uploads", failure)));
  }

  /**
   * Deletes the documents of unfinished uploads. Must be called only if the cluster state and the
   * index contain equal models.
   */
  private void sweepSynchronized() {
    ClusterState state = clusterService.state();
    if (!state.metadata().hasIndex(ModelIndex.NAME) || !CatalogueKeeper.isSynchronized(state)) {
      return;
    }
    long olderThan = threadPool.absoluteTimeInMillis() - sweepAfter();
    ActionListener<Integer> swept =
        ActionListener.wrap(
            deleted -> LOGGER.debug("deleted {} documents of unfinished uploads", deleted),
            failure -> LOGGER.warn("could not delete documents of unfinished uploads", failure));
    catalogue.read(
        ActionListener.wrap(
            entry -> {
              if (entry != null) {
                Set<String> live = uploads(entry.models());
                live.addAll(uploads(ModelsMetadata.of(clusterService.state())));
                store.sweep(live, olderThan, swept);
              }
            },
            swept::onFailure));
  }

  private static Set<String> uploads(ModelsMetadata models) {
    return models.models().values().stream()
        .map(ModelManifest::upload)
        .collect(Collectors.toCollection(HashSet::new));
  }

  /**
   * Checks, before an upload is published, that it began at most half of {@link
   * ModelSettings#SWEEP_AFTER} ago. Without this check, it could be deleted as an unfinished upload
   * after it was published. The other half of the time allows for differences between the nodes'
   * clocks.
   *
   * @throws OpenSearchStatusException (409) if the upload began too long ago
   */
  public void checkFresh(ModelManifest manifest) {
    long age = threadPool.absoluteTimeInMillis() - manifest.created();
    if (age > sweepAfter() / 2) {
      throw ChangeFence.forNow(
          new OpenSearchStatusException(
              "model [{}]: its upload began {} ago by the cluster manager's clock, which is more"
                  + " than half of setting [{}]; check the clocks of the nodes and upload it again",
              RestStatus.CONFLICT,
              manifest.id().name(),
              TimeValue.timeValueMillis(age),
              ModelSettings.SWEEP_AFTER.getKey()));
    }
  }

  @Override
  public void close() {
    sweeping.cancel();
  }
}
