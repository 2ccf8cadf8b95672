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
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import org.opensearch.action.ActionListenerResponseHandler;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/**
 * Returns how much a model uses each of its features, the most important feature first. It runs on
 * a data node, because the model is already loaded there.
 */
public final class TransportImportanceAction
    extends HandledTransportAction<
        ValueRequest<ValueRequest.Named>, FeaturesResponse<TransportImportanceAction.Feature>> {
  public static final String NAME = "cluster:admin/quickscorer/model/importance";
  public static final ActionType<FeaturesResponse<Feature>> ACTION =
      new ActionType<>(NAME, in -> new FeaturesResponse<>(in, WireRecord.reader(Feature.class)));

  /**
   * One feature of the model.
   *
   * @param importance the feature's importance and its name in the model
   * @param boundTo the feature's name in the feature set; empty if the set does not have it and the
   *     model does not use it
   */
  public record Feature(FeatureImportance importance, String boundTo)
      implements WireRecord, ToXContentObject {
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject().field("feature", importance.feature());
      if (!boundTo.isEmpty() && !boundTo.equals(importance.feature())) {
        builder.field("bound_to", boundTo);
      }
      builder.field("splits", importance.splits());
      if (!Double.isNaN(importance.totalGain())) {
        builder.field("total_gain", importance.totalGain());
        builder.field("average_gain", importance.averageGain());
      }
      if (!Double.isNaN(importance.totalCover())) {
        builder.field("total_cover", importance.totalCover());
        builder.field("average_cover", importance.averageCover());
      }
      if (!Double.isNaN(importance.weight())) {
        builder.field("weight", importance.weight());
      }
      return builder.endObject();
    }
  }

  /**
   * Sorts features by descending gain, and then by the number of splits. If the model's file
   * contains no gains, sorts only by splits; for linear models, by the absolute weight.
   */
  private static final Comparator<Feature> MAX_FIRST =
      Comparator.<Feature>comparingDouble(
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
    super(NAME, transportService, filters, in -> new ValueRequest<>(in, ValueRequest.Named.class));
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
      ActionListener<FeaturesResponse<Feature>> listener) {
    ModelId id = models.pin(request.value().name());
    if (!clusterService.localNode().isDataNode()) {
      for (DiscoveryNode node : clusterService.state().nodes().getDataNodes().values()) {
        transportService.sendRequest(
            node,
            NAME,
            request,
            new ActionListenerResponseHandler<>(
                Guard.listener(() -> "the response of a node", listener),
                ACTION.getResponseReader()));
        return;
      }
    }
    models.load(
        id,
        ActionListener.wrap(
            loaded -> executor.execute(ActionRunnable.wrap(listener, l -> answer(id, l))),
            listener::onFailure));
  }

  private void answer(ModelId id, ActionListener<FeaturesResponse<Feature>> listener) {
    try (ModelLookup.ModelUse use = models.acquire(id)) {
      CompiledModel model = use.model();
      FeaturesResponse.answer(id, model.scorer(), breaker, () -> features(model), listener);
    }
  }

  private static List<Feature> features(CompiledModel model) {
    List<FeatureDefinition> set = model.features().features();
    List<Feature> features = new ArrayList<>();
    for (FeatureImportance importance : FeatureImportance.of(model.scorer().ensemble())) {
      int place = model.columns()[features.size()];
      features.add(new Feature(importance, place < 0 ? "" : set.get(place).name()));
    }
    features.sort(MAX_FIRST);
    return features;
  }
}
