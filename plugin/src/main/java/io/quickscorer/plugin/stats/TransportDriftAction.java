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
import io.quickscorer.plugin.wire.WireRecord;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionListenerResponseHandler;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.ActionType;
import org.opensearch.action.StepListener;
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
import org.opensearch.transport.client.node.NodeClient;

/**
 * Compares the values of each feature of a model in searches with the values in training. The
 * response lists the features in the model's order. The action uses the values that all data nodes
 * recorded, and runs on a data node, because the model is already loaded there.
 */
public final class TransportDriftAction
    extends HandledTransportAction<
        ValueRequest<ValueRequest.Named>, FeaturesResponse<TransportDriftAction.Feature>> {
  public static final String NAME = "cluster:admin/quickscorer/model/drift";

  /**
   * The action for users who may see how much the values differ from the values in training, but no
   * values of an index.
   */
  public static final ActionType<FeaturesResponse<Feature>> ACTION = type(NAME);

  /**
   * The action for users who may also see the minimum and maximum of the values, which may come
   * from any searched index.
   */
  public static final ActionType<FeaturesResponse<Feature>> WITH_VALUES = type(NAME + "/values");

  /**
   * One feature that the model uses.
   *
   * @param name the name of the feature in the model
   * @param documents the number of recorded documents since the nodes started
   * @param missing the number of recorded documents without a value
   * @param below whether a value was below the range in training
   * @param above whether a value was above the range in training
   * @param psi the population stability index of the last complete window of time; NaN if there are
   *     too few values
   * @param drifting whether this index reaches the threshold for alarms
   * @param observed the range of the values; null if there are none or they must not be shown
   * @param trained the range in training; null if it is unknown
   */
  public record Feature(
      String name,
      long documents,
      long missing,
      boolean below,
      boolean above,
      double psi,
      boolean drifting,
      @Nullable FeatureRange observed,
      @Nullable FeatureRange trained)
      implements WireRecord, ToXContentObject {
    /**
     * Creates the data on a feature from its recorded values.
     *
     * @param show whether to show the range of the values
     */
    static Feature of(
        String name,
        ObservedFeatures.Values values,
        double psi,
        boolean drifting,
        @Nullable FeatureRange trained,
        boolean show) {
      boolean any = values.min() <= values.max();
      return new Feature(
          name,
          values.seen(),
          values.missing(),
          any && trained != null && values.min() < trained.min(),
          any && trained != null && values.max() > trained.max(),
          psi,
          drifting,
          any && show ? new FeatureRange(values.min(), values.max()) : null,
          trained);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject().field("feature", name).field("documents", documents);
      if (documents > 0) {
        builder.field("missing_share", (double) missing / documents);
      }
      if (!Double.isNaN(psi)) {
        builder.field("psi", psi).field("drifting", drifting);
      }
      if (observed != null) {
        builder.field("min", observed.min()).field("max", observed.max());
      }
      if (trained != null) {
        builder.field("trained_min", trained.min()).field("trained_max", trained.max());
        builder.field("below_training", below).field("above_training", above);
      }
      return builder.endObject();
    }
  }

  private final ModelService models;
  private final ModelStore store;
  private final ModelBreaker breaker;
  private final RescoreStats rescore;
  private final ClusterService clusterService;
  private final TransportService transportService;
  private final ThreadPool threadPool;
  private final GuardedClient client;

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
    super(NAME, transportService, filters, in -> new ValueRequest<>(in, ValueRequest.Named.class));
    this.models = models;
    this.store = store;
    this.breaker = breaker;
    this.rescore = rescore;
    this.clusterService = clusterService;
    this.transportService = transportService;
    this.threadPool = threadPool;
    this.client = GuardedClient.ofPlugin(client);
  }

  private static ActionType<FeaturesResponse<Feature>> type(String name) {
    return new ActionType<>(
        name, in -> new FeaturesResponse<>(in, WireRecord.reader(Feature.class)));
  }

  /**
   * The action that also shows the range of the values. It is a separate action, so that users can
   * be permitted to run it separately.
   */
  public static final class WithValues
      extends HandledTransportAction<ValueRequest<ValueRequest.Named>, FeaturesResponse<Feature>> {
    private final TransportDriftAction drift;

    @Inject
    public WithValues(
        TransportService transportService, ActionFilters filters, TransportDriftAction drift) {
      super(
          WITH_VALUES.name(),
          transportService,
          filters,
          in -> new ValueRequest<>(in, ValueRequest.Named.class));
      this.drift = drift;
    }

    @Override
    protected void doExecute(
        Task task,
        ValueRequest<ValueRequest.Named> request,
        ActionListener<FeaturesResponse<Feature>> listener) {
      drift.answer(WITH_VALUES, request, listener);
    }
  }

  @Override
  protected void doExecute(
      Task task,
      ValueRequest<ValueRequest.Named> request,
      ActionListener<FeaturesResponse<Feature>> listener) {
    answer(ACTION, request, listener);
  }

  private void answer(
      ActionType<FeaturesResponse<Feature>> action,
      ValueRequest<ValueRequest.Named> request,
      ActionListener<FeaturesResponse<Feature>> listener) {
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
                Guard.listener(() -> "the response of a node", listener),
                action.getResponseReader()));
        return;
      }
    }
    ModelId id = manifest.id();
    StepListener<Map<String, Map<String, Object>>> described = new StepListener<>();
    StepListener<TransportStatsAction.Response> observed = new StepListener<>();
    StepListener<Void> loaded = new StepListener<>();
    store.metadata(List.of(manifest), described);
    Guard.then(
        described,
        metadata ->
            client.execute(
                TransportStatsAction.ACTION, new TransportStatsAction.Request(id), observed),
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
                                action.equals(WITH_VALUES),
                                id,
                                FeatureRange.of(
                                    described.result().getOrDefault(id.name(), Map.of())),
                                observed.result(),
                                l))),
        listener::onFailure);
  }

  private void answer(
      boolean show,
      ModelId id,
      Map<String, FeatureRange> trained,
      TransportStatsAction.Response stats,
      ActionListener<FeaturesResponse<Feature>> listener) {
    try (ModelLookup.ModelUse use = models.acquire(id)) {
      EnsembleScorer scorer = use.model().scorer();
      FeaturesResponse.answer(
          id, scorer, breaker, () -> features(show, scorer.ensemble(), trained, stats), listener);
    }
  }

  private List<Feature> features(
      boolean show,
      TreeEnsemble ensemble,
      Map<String, FeatureRange> trained,
      TransportStatsAction.Response stats) {
    List<FeatureImportance> all = FeatureImportance.of(ensemble);
    List<Feature> features = new ArrayList<>();
    for (int f = 0; f < all.size(); f++) {
      if (all.get(f).isUsed()) {
        String name = all.get(f).feature();
        double psi = bins(f, stats).psi();
        features.add(
            Feature.of(
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

  private static BinCounts bins(int feature, TransportStatsAction.Response stats) {
    BinCounts bins = BinCounts.NONE;
    for (TransportStatsAction.Values node : stats.values()) {
      if (feature < node.bins().size()) {
        bins = bins.and(node.bins().get(feature));
      }
    }
    return bins;
  }

  private static ObservedFeatures.Values values(int feature, TransportStatsAction.Response stats) {
    ObservedFeatures.Values values = ObservedFeatures.Values.NONE;
    for (TransportStatsAction.Values node : stats.values()) {
      if (feature < node.observed().size()) {
        values = values.and(node.observed().get(feature));
      }
    }
    return values;
  }
}
