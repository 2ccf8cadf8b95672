// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.action.resource.TransportActivateAliasAction;
import io.quickscorer.plugin.action.resource.TransportActivateModelAction;
import io.quickscorer.plugin.action.resource.TransportDeleteAliasAction;
import io.quickscorer.plugin.action.resource.TransportDeleteFeatureSetAction;
import io.quickscorer.plugin.action.resource.TransportDeleteModelAction;
import io.quickscorer.plugin.action.resource.TransportGetAliasesAction;
import io.quickscorer.plugin.action.resource.TransportGetFeatureSetsAction;
import io.quickscorer.plugin.action.resource.TransportGetModelsAction;
import io.quickscorer.plugin.action.resource.TransportLoadModelAction;
import io.quickscorer.plugin.action.resource.TransportPutAliasAction;
import io.quickscorer.plugin.action.resource.TransportPutFeatureSetAction;
import io.quickscorer.plugin.action.resource.TransportPutModelAction;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.node.CatalogueKeeper;
import io.quickscorer.plugin.model.node.ChangeFence;
import io.quickscorer.plugin.model.node.ModelComponents;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.node.UploadSweeper;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.plugin.stats.TransportStatsAction;
import io.quickscorer.plugin.stats.VerifyStats;
import java.util.Map;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.TransportAction;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.script.ScriptService;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/** The actions of the plugin on a simulated process. */
final class OurActions {
  private OurActions() {}

  static void add(
      Map<ActionType<?>, TransportAction<?, ?>> actions,
      ModelComponents parts,
      TransportService transportService,
      ClusterService clusterService,
      SimulatedThreads threads,
      ActionFilters filters,
      IndexNameExpressionResolver resolver,
      NodeClient nodeClient,
      ModelBreaker memory,
      RequestMemory requests) {
    ModelService models = part(parts, ModelService.class);
    ModelStore store = part(parts, ModelStore.class);
    FeatureSetStore featureSets = part(parts, FeatureSetStore.class);
    ModelSettings modelSettings = parts.settings();
    CatalogueKeeper keeper = part(parts, CatalogueKeeper.class);
    ChangeFence fence = part(parts, ChangeFence.class);
    ModelUploadService uploads = part(parts, ModelUploadService.class);
    actions.put(
        TransportActivateAliasAction.ACTION,
        new TransportActivateAliasAction(
            transportService,
            clusterService,
            threads,
            filters,
            resolver,
            modelSettings,
            keeper,
            fence));
    actions.put(
        TransportActivateModelAction.ACTION,
        new TransportActivateModelAction(
            transportService,
            clusterService,
            threads,
            filters,
            resolver,
            modelSettings,
            keeper,
            part(parts, UploadSweeper.class),
            fence));
    actions.put(
        TransportLoadModelAction.ACTION,
        new TransportLoadModelAction(transportService, filters, models, clusterService));
    actions.put(
        TransportStatsAction.ACTION,
        new TransportStatsAction(
            threads,
            clusterService,
            transportService,
            filters,
            models,
            memory,
            new RescoreStats(),
            new VerifyStats()));
    actions.put(
        TransportPutModelAction.ACTION,
        new TransportPutModelAction(
            transportService, filters, uploads, clusterService, nodeClient));
    actions.put(
        TransportDeleteModelAction.ACTION,
        new TransportDeleteModelAction(
            transportService, filters, uploads, store, clusterService, nodeClient));
    actions.put(
        TransportGetModelsAction.ACTION,
        new TransportGetModelsAction(transportService, filters, clusterService, store, nodeClient));
    actions.put(
        TransportPutAliasAction.ACTION,
        new TransportPutAliasAction(
            transportService, filters, clusterService, threads, nodeClient));
    actions.put(
        TransportDeleteAliasAction.ACTION,
        new TransportDeleteAliasAction(transportService, filters, nodeClient));
    actions.put(
        TransportGetAliasesAction.ACTION,
        new TransportGetAliasesAction(transportService, filters, clusterService));
    actions.put(
        TransportGetFeatureSetsAction.ACTION,
        new TransportGetFeatureSetsAction(transportService, filters, featureSets));
    actions.put(
        TransportPutFeatureSetAction.ACTION,
        new TransportPutFeatureSetAction(
            transportService,
            filters,
            featureSets,
            threads,
            nodeClient,
            NamedXContentRegistry.EMPTY,
            new ScriptService(Settings.EMPTY, Map.of(), Map.of()),
            requests));
    actions.put(
        TransportDeleteFeatureSetAction.ACTION,
        new TransportDeleteFeatureSetAction(transportService, filters, featureSets));
  }

  /** The part of that type. */
  static <T> T part(ModelComponents parts, Class<T> type) {
    return parts.all().stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
  }
}
