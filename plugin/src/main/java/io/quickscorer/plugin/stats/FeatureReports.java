// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.explain.FeatureImportance;
import io.quickscorer.plugin.action.NodesAction;
import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.model.upload.FeatureRange;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.StepListener;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportRequestOptions;
import org.opensearch.transport.TransportService;

/**
 * Reports on the features of a model: how much the model uses each of them, and how far the values
 * of each feature in searches differ from those in training. A report is made on a data node,
 * because data nodes have already loaded the model.
 */
public record FeatureReports(
    ModelService models,
    ModelStore store,
    ModelBreaker breaker,
    RescoreStats rescore,
    ClusterService clusterService,
    TransportService transport,
    ThreadPool threadPool,
    GuardedClient client) {
  public static final PluginAction<ValueRequest.Named, Report> IMPORTANCE = type("importance");

  /**
   * The action {@code drift} for users who must not see values of an index: reports how the values
   * of features have changed, without their minimum and maximum.
   */
  public static final PluginAction<ValueRequest.Named, Report> DRIFT = type("drift");

  /**
   * The action {@code drift} for users who may also see the minimum and maximum of a feature's
   * values. These values may come from any searched index.
   */
  public static final PluginAction<ValueRequest.Named, Report> DRIFT_VALUES = type("drift/values");

  /** Heap bytes to charge for each feature: for the data of the feature, and for its JSON. */
  private static final long ROW_BYTES = 512;

  private static PluginAction<ValueRequest.Named, Report> type(String name) {
    return PluginAction.remote(
        "cluster:admin/quickscorer/model/" + name, ValueRequest.Named.class, Report.class);
  }

  /** The part of a report about one feature. */
  sealed interface Row extends WireRecord, ToXContentObject {}

  /** A report on the features of one model. */
  public record Report(ModelId id, List<Row> features) implements WireRecord, ToXContentObject {
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      return builder
          .startObject()
          .field("name", id.name())
          .field("version", id.version())
          .field("features", features)
          .endObject();
    }
  }

  /**
   * The difference between a feature's values in searches and in training.
   *
   * @param name the name of the feature in the model
   * @param documents the number of recorded documents since the nodes started
   * @param missing the number of recorded documents without a value
   * @param below whether a value was below the range in training
   * @param above whether a value was above the range in training
   * @param psi the population stability index, which measures the difference between the last
   *     complete time window and the time before; NaN if there are too few values
   * @param drifting whether {@code psi} reaches the threshold for alarms
   * @param observed the range of the values in searches; null if there are none or they must not be
   *     shown
   * @param trained the range in training; null if it is unknown
   */
  record Drift(
      String name,
      long documents,
      long missing,
      boolean below,
      boolean above,
      double psi,
      boolean drifting,
      @Nullable FeatureRange observed,
      @Nullable FeatureRange trained)
      implements Row {
    /**
     * Creates the part of a report about one feature from its recorded values.
     *
     * @param psi the population stability index, a measure of the values' change
     * @param drifting whether {@code psi} reaches the threshold for alarms
     * @param trained the range of the values in training; null if it is unknown
     * @param show whether the report contains the minimum and maximum
     */
    static Drift of(
        String name,
        ObservedFeatures.Values values,
        double psi,
        boolean drifting,
        @Nullable FeatureRange trained,
        boolean show) {
      boolean any = values.min() <= values.max();
      return new Drift(
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

  /**
   * The importance of one feature of a model.
   *
   * @param importance the feature's importance and its name in the model
   * @param boundTo the feature's name in the feature set; empty if it is not in the set, because
   *     the model does not use it
   */
  record Importance(FeatureImportance importance, String boundTo) implements Row {
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
   * Sorts features by descending gain (the improvement that their splits bring), then by the number
   * of splits. If the model's file contains no gains, sorts by the number of splits only. Features
   * of linear models are sorted by the absolute value of their weight.
   */
  private static final Comparator<Importance> MAX_FIRST =
      Comparator.<Importance>comparingDouble(
              feature -> -zeroIfAbsent(feature.importance().totalGain()))
          .thenComparingLong(feature -> -feature.importance().splits())
          .thenComparingDouble(feature -> -Math.abs(zeroIfAbsent(feature.importance().weight())));

  /**
   * Runs an action on a data node: on this node if it is a data node, otherwise on another data
   * node. Before that, checks that the model exists.
   *
   * @param here runs the action for the model's current version on this node
   */
  private void onDataNode(
      PluginAction<ValueRequest.Named, Report> action,
      ValueRequest.Named request,
      ActionListener<Report> listener,
      Consumer<ModelManifest> here) {
    ModelManifest model = ModelsMetadata.of(clusterService.state()).resolve(request.name());
    Collection<DiscoveryNode> nodes = clusterService.state().nodes().getDataNodes().values();
    if (nodes.isEmpty() || clusterService.localNode().isDataNode()) {
      here.accept(model);
    } else {
      DiscoveryNode node = nodes.iterator().next();
      action.send(transport, node, request, TransportRequestOptions.EMPTY, listener);
    }
  }

  private static double zeroIfAbsent(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  /** Reports how much a model uses each of its features, the most important feature first. */
  public void importance(ValueRequest.Named request, ActionListener<Report> listener) {
    onDataNode(
        IMPORTANCE,
        request,
        listener,
        model -> load(model.id(), FeatureReports::importances, listener));
  }

  private static List<Row> importances(CompiledModel model) {
    List<FeatureDefinition> set = model.features().features();
    List<Importance> features = new ArrayList<>();
    for (FeatureImportance importance : FeatureImportance.of(model.scorer().ensemble())) {
      int place = model.columns()[features.size()];
      features.add(new Importance(importance, place < 0 ? "" : set.get(place).name()));
    }
    features.sort(MAX_FIRST);
    return List.copyOf(features);
  }

  /**
   * Loads the model, and creates the report on another thread. The memory of the report is charged
   * until the report is sent.
   */
  private void load(
      ModelId id, Function<CompiledModel, List<Row>> features, ActionListener<Report> listener) {
    ActionListener<Void> loaded =
        ActionListener.wrap(
            ready ->
                WorkPool.REPORTS
                    .of(threadPool)
                    .execute(ActionRunnable.wrap(listener, l -> report(id, features, l))),
            listener::onFailure);
    models.load(id, loaded);
  }

  private void report(
      ModelId id, Function<CompiledModel, List<Row>> features, ActionListener<Report> listener) {
    try (ModelLookup.ModelUse use = models.acquire(id)) {
      long bytes = ROW_BYTES * use.model().scorer().ensemble().shape().features();
      try (MemoryCharge ignored = breaker.reserve(bytes, "<features of model " + id + ">")) {
        ActionListener.completeWith(listener, () -> new Report(id, features.apply(use.model())));
      }
    }
  }

  /** Reports the difference between each feature's values in searches and in training. */
  public void drift(ValueRequest.Named request, ActionListener<Report> listener) {
    onDataNode(DRIFT, request, listener, model -> drift(false, model, listener));
  }

  /**
   * Reports the difference between each feature's values in searches and in training, with the
   * minimum and maximum of the values.
   */
  public void driftWithValues(ValueRequest.Named request, ActionListener<Report> listener) {
    onDataNode(DRIFT_VALUES, request, listener, model -> drift(true, model, listener));
  }

  private void drift(boolean show, ModelManifest manifest, ActionListener<Report> listener) {
    ModelId id = manifest.id();
    StepListener<Map<String, Map<String, Object>>> described = new StepListener<>();
    StepListener<NodesAction.Response<NodeStats>> observed = new StepListener<>();
    store.metadata(List.of(manifest), described);
    Guard.then(
        described,
        metadata ->
            client.execute(
                NodeStats.ACTION,
                new NodesAction.Request<>(new NodeStats.Asked(id, ""), "data:true"),
                observed),
        listener::onFailure);
    Guard.then(
        observed,
        stats -> {
          Map<String, FeatureRange> trained =
              FeatureRange.of(described.result().getOrDefault(id.name(), Map.of()));
          load(id, model -> drifts(show, model, trained, stats), listener);
        },
        listener::onFailure);
  }

  private List<Row> drifts(
      boolean show,
      CompiledModel model,
      Map<String, FeatureRange> trained,
      NodesAction.Response<NodeStats> stats) {
    List<FeatureImportance> all = FeatureImportance.of(model.scorer().ensemble());
    List<Row> features = new ArrayList<>();
    for (int f = 0; f < all.size(); f++) {
      if (all.get(f).isUsed()) {
        String name = all.get(f).feature();
        double psi = merged(f, stats, NodeStats::bins, BinCounts.NONE, BinCounts::and).psi();
        features.add(
            Drift.of(
                name,
                merged(
                    f,
                    stats,
                    NodeStats::observed,
                    ObservedFeatures.Values.NONE,
                    ObservedFeatures.Values::and),
                psi,
                rescore.drift().isAlarming(psi),
                trained.get(name),
                show));
      }
    }
    return features;
  }

  /**
   * Returns the merged counts of a feature.
   *
   * @param counts returns a node's counts of all features
   * @param none the counts of a feature without values
   * @param and merges the counts of two nodes
   */
  private static <T> T merged(
      int feature,
      NodesAction.Response<NodeStats> stats,
      Function<NodeStats, List<T>> counts,
      T none,
      BinaryOperator<T> and) {
    return stats.values().stream()
        .map(counts)
        .filter(all -> feature < all.size())
        .map(all -> all.get(feature))
        .reduce(none, and);
  }
}
