// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.compile.WarmUp;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelFile;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.store.Catalogue;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.model.store.ModelIndexClient;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.io.IOUtils;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/**
 * The objects of this package that exist once per node.
 *
 * @param marks the files that mark models as being loaded
 * @param all the objects that the server injects into transport actions
 * @param closing the objects to close when the node stops, in this order
 */
public record ModelComponents(
    ModelService models,
    ModelSettings settings,
    LoadMarks marks,
    List<Object> all,
    List<Closeable> closing)
    implements Closeable {
  private static final Logger LOGGER = LogManager.getLogger(ModelComponents.class);

  /**
   * Creates the objects and registers them as listeners for cluster states and settings.
   *
   * @param onLoaded called when a version was loaded on this node; must be fast
   * @param node the node's data folders, for files that must survive a restart
   * @param onDropped called when compiled versions were removed from this node, to remove data
   *     computed from them
   */
  public static ModelComponents create(
      Client client,
      ClusterService clusterService,
      ThreadPool threadPool,
      Settings nodeSettings,
      ModelBreaker breaker,
      Consumer<ModelId> onLoaded,
      NodeEnvironment node,
      Runnable onDropped) {
    String missing = ModelFile.missingLibrary();
    if (missing != null) {
      LOGGER.error(missing);
    }
    ModelSettings settings = new ModelSettings(nodeSettings, clusterService.getClusterSettings());
    ModelIndexClient own = new ModelIndexClient(client, clusterService);
    ModelIndex index = new ModelIndex(own, clusterService);
    ModelStore store = new ModelStore(own, index, breaker);
    FeatureSetStore featureSets = new FeatureSetStore(own, index, breaker);
    Quarantine quarantine = new Quarantine();
    Path[] data = node.hasNodeFile() ? node.nodeDataPaths() : new Path[0];
    LoadMarks marks = new LoadMarks(data);
    ModelLoader loader = new ModelLoader(store, breaker, settings, quarantine, new WarmUp());
    ModelService models =
        new ModelService(
            clusterService,
            threadPool,
            store,
            breaker,
            featureSets,
            loader,
            quarantine,
            marks,
            settings,
            onLoaded,
            new RecentUses(threadPool::absoluteTimeInMillis, data),
            onDropped);
    ModelUploadService uploads =
        new ModelUploadService(
            store,
            featureSets,
            breaker,
            settings,
            WorkPool.UPLOADS.of(threadPool),
            threadPool::absoluteTimeInMillis);
    Catalogue catalogue = new Catalogue(own, index);
    CatalogueKeeper keeper = new CatalogueKeeper(clusterService, threadPool, store, catalogue);
    UploadSweeper sweeper =
        new UploadSweeper(clusterService, threadPool, store, catalogue, settings, keeper);
    clusterService.addListener(models);
    clusterService.addListener(keeper);
    clusterService
        .getClusterSettings()
        .addSettingsUpdateConsumer(ModelSettings.ENGINE, engine -> models.recompile());
    return new ModelComponents(
        models,
        settings,
        marks,
        List.of(models, keeper, sweeper, store, featureSets, uploads, settings, breaker),
        List.of(models, sweeper, keeper));
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(closing);
  }
}
