// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.explain.FeatureImportance;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.CompiledModel;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.model.node.ModelService;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import org.opensearch.action.ActionListenerResponseHandler;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Counts on a data node, where the model is compiled anyway. */
public final class TransportImportanceAction
    extends HandledTransportAction<
        ValueRequest<ValueRequest.Named>, FeaturesResponse<ImportanceAction.Feature>> {
  /**
   * By gain, where the model's file gives gains; by splits otherwise and among equals. By weight,
   * whatever its sign, where the model is linear.
   */
  private static final Comparator<ImportanceAction.Feature> MAX_FIRST =
      Comparator.<ImportanceAction.Feature>comparingDouble(
              feature -> -zeroIfAbsent(feature.importance().totalGain()))
          .thenComparingLong(feature -> -feature.importance().splits())
          .thenComparingDouble(feature -> -Math.abs(zeroIfAbsent(feature.importance().weight())));

  private final ModelService models;
  private final ModelBreaker breaker;
  private final ClusterService clusterService;
  private final TransportService transportService;
  private final Executor executor;

  @Inject
  public TransportImportanceAction(
      TransportService transportService,
      ActionFilters filters,
      ModelService models,
      ModelBreaker breaker,
      ClusterService clusterService,
      ThreadPool threadPool) {
    super(
        ImportanceAction.NAME,
        transportService,
        filters,
        in -> new ValueRequest<>(in, ValueRequest.Named.class));
    this.models = models;
    this.breaker = breaker;
    this.clusterService = clusterService;
    this.transportService = transportService;
    this.executor = WorkPool.REPORTS.of(threadPool);
  }

  private static double zeroIfAbsent(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  @Override
  protected void doExecute(
      Task task,
      ValueRequest<ValueRequest.Named> request,
      ActionListener<FeaturesResponse<ImportanceAction.Feature>> listener) {
    ModelId id = models.pin(request.value().name());
    if (!clusterService.localNode().isDataNode()) {
      for (DiscoveryNode node : clusterService.state().nodes().getDataNodes().values()) {
        transportService.sendRequest(
            node,
            ImportanceAction.NAME,
            request,
            new ActionListenerResponseHandler<>(
                Guard.listener(() -> "a node's answer", listener),
                ImportanceAction.INSTANCE.getResponseReader()));
        return;
      }
    }
    models.load(
        id,
        ActionListener.wrap(
            loaded -> executor.execute(ActionRunnable.wrap(listener, l -> answer(id, l))),
            listener::onFailure));
  }

  private void answer(
      ModelId id, ActionListener<FeaturesResponse<ImportanceAction.Feature>> listener) {
    try (ModelLookup.ModelUse use = models.acquire(id)) {
      CompiledModel model = use.model();
      FeaturesResponse.answer(id, model.scorer(), breaker, () -> features(model), listener);
    }
  }

  private static List<ImportanceAction.Feature> features(CompiledModel model) {
    List<FeatureDefinition> set = model.features().features();
    List<ImportanceAction.Feature> features = new ArrayList<>();
    for (FeatureImportance importance : FeatureImportance.of(model.scorer().ensemble())) {
      int place = model.columns()[features.size()];
      features.add(
          new ImportanceAction.Feature(importance, place < 0 ? "" : set.get(place).name()));
    }
    features.sort(MAX_FIRST);
    return features;
  }
}
