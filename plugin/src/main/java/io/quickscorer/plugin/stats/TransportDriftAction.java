// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.explain.FeatureImportance;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.model.upload.FeatureRange;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.action.ActionListenerResponseHandler;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.StepListener;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/** Works on a data node, where the model is compiled anyway, with what all data nodes observed. */
public class TransportDriftAction
    extends HandledTransportAction<
        ValueRequest<ValueRequest.Named>, FeaturesResponse<DriftAction.Feature>> {
  private final ModelService models;
  private final ModelStore store;
  private final ModelBreaker breaker;
  private final RescoreStats rescore;
  private final ClusterService clusterService;
  private final TransportService transportService;
  private final ThreadPool threadPool;
  private final GuardedClient client;
  private final DriftAction action;

  @Inject
  public TransportDriftAction(
      TransportService transportService,
      ActionFilters filters,
      ModelService models,
      ModelStore store,
      ModelBreaker breaker,
      RescoreStats rescore,
      ClusterService clusterService,
      ThreadPool threadPool,
      NodeClient client) {
    this(
        DriftAction.INSTANCE,
        transportService,
        filters,
        models,
        store,
        breaker,
        rescore,
        clusterService,
        threadPool,
        client);
  }

  private TransportDriftAction(
      DriftAction action,
      TransportService transportService,
      ActionFilters filters,
      ModelService models,
      ModelStore store,
      ModelBreaker breaker,
      RescoreStats rescore,
      ClusterService clusterService,
      ThreadPool threadPool,
      NodeClient client) {
    super(
        action.name(),
        transportService,
        filters,
        in -> new ValueRequest<>(in, ValueRequest.Named.class));
    this.action = action;
    this.models = models;
    this.store = store;
    this.breaker = breaker;
    this.rescore = rescore;
    this.clusterService = clusterService;
    this.transportService = transportService;
    this.threadPool = threadPool;
    this.client = GuardedClient.ofPlugin(client);
  }

  /** The same with values, which is another action so that it can be granted by itself. */
  public static final class WithValues extends TransportDriftAction {
    @Inject
    public WithValues(
        TransportService transportService,
        ActionFilters filters,
        ModelService models,
        ModelStore store,
        ModelBreaker breaker,
        RescoreStats rescore,
        ClusterService clusterService,
        ThreadPool threadPool,
        NodeClient client) {
      super(
          DriftAction.WITH_VALUES,
          transportService,
          filters,
          models,
          store,
          breaker,
          rescore,
          clusterService,
          threadPool,
          client);
    }
  }

  @Override
  protected void doExecute(
      Task task,
      ValueRequest<ValueRequest.Named> request,
      ActionListener<FeaturesResponse<DriftAction.Feature>> listener) {
    ModelManifest manifest =
        ModelsMetadata.of(clusterService.state()).resolve(request.value().name());
    if (manifest == null) {
      throw ModelService.missing(request.value().name());
    }
    if (!clusterService.localNode().isDataNode()) {
      for (DiscoveryNode node : clusterService.state().nodes().getDataNodes().values()) {
        transportService.sendRequest(
            node,
            action.name(),
            request,
            new ActionListenerResponseHandler<>(
                Guard.listener(() -> "a node's answer", listener), action.getResponseReader()));
        return;
      }
    }
    ModelId id = manifest.id();
    StepListener<Map<String, Map<String, Object>>> described = new StepListener<>();
    StepListener<StatsAction.Response> observed = new StepListener<>();
    StepListener<Void> loaded = new StepListener<>();
    store.metadata(List.of(manifest), described);
    Guard.then(
        described,
        metadata -> client.execute(StatsAction.INSTANCE, new StatsAction.Request(id), observed),
        listener::onFailure);
    Guard.then(observed, stats -> models.load(id, loaded), listener::onFailure);
    Guard.then(
        loaded,
        ready ->
            WorkPool.REPORTS
                .of(threadPool)
                .execute(
                    ActionRunnable.wrap(
                        listener,
                        l ->
                            answer(
                                id,
                                FeatureRange.of(
                                    described.result().getOrDefault(id.name(), Map.of())),
                                observed.result(),
                                l))),
        listener::onFailure);
  }

  private void answer(
      ModelId id,
      Map<String, FeatureRange> trained,
      StatsAction.Response stats,
      ActionListener<FeaturesResponse<DriftAction.Feature>> listener) {
    try (ModelLookup.ModelUse use = models.acquire(id)) {
      EnsembleScorer scorer = use.model().scorer();
      FeaturesResponse.answer(
          id, scorer, breaker, () -> features(scorer.ensemble(), trained, stats), listener);
    }
  }

  private List<DriftAction.Feature> features(
      TreeEnsemble ensemble, Map<String, FeatureRange> trained, StatsAction.Response stats) {
    List<FeatureImportance> all = FeatureImportance.of(ensemble);
    List<DriftAction.Feature> features = new ArrayList<>();
    for (int f = 0; f < all.size(); f++) {
      if (all.get(f).isUsed()) {
        String name = all.get(f).feature();
        boolean show = action.equals(DriftAction.WITH_VALUES);
        double psi = bins(f, stats).psi();
        features.add(
            DriftAction.Feature.of(
                name,
                values(f, stats),
                psi,
                rescore.drift().isAlarming(psi),
                trained.get(name),
                show));
      }
    }
    return features;
  }

  private static BinCounts bins(int feature, StatsAction.Response stats) {
    BinCounts bins = BinCounts.NONE;
    for (StatsAction.Values node : stats.values()) {
      if (feature < node.bins().size()) {
        bins = bins.and(node.bins().get(feature));
      }
    }
    return bins;
  }

  private static ObservedFeatures.Values values(int feature, StatsAction.Response stats) {
    ObservedFeatures.Values values = ObservedFeatures.Values.NONE;
    for (StatsAction.Values node : stats.values()) {
      if (feature < node.observed().size()) {
        values = values.and(node.observed().get(feature));
      }
    }
    return values;
  }
}
