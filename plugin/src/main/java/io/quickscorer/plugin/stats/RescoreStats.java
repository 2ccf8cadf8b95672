// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.stats.Measure.Part;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.telemetry.metrics.MetricsRegistry;

/** Statistics of rescoring on one node since its start. Safe for use by several threads. */
public final class RescoreStats {
  private final Counters<Measure.Rescore> counts =
      new Counters<>(EnumSet.allOf(Measure.Rescore.class));
  private final TimeCounters times = new TimeCounters(EnumSet.allOf(Part.class));
  private final ObservedFeatures observed = new ObservedFeatures();
  private final DriftWindows drift = new DriftWindows(System::currentTimeMillis);
  private final Map<ModelId, ModelCounters> models = new ConcurrentHashMap<>();
  private final PipelineStats pipelines = new PipelineStats();
  private final ComparisonStats comparisons = new ComparisonStats();
  private final SlowLog slowLog = new SlowLog();
  private volatile Metrics metrics = Metrics.NONE;
  private volatile Consumer<ModelId> onScored = id -> {};

  /** Returns the recorded values of each feature of a model. */
  public List<ObservedFeatures.Values> observed(ModelId id) {
    return observed.read(id);
  }

  /**
   * Returns the object that counts the features' values per time window, to detect drift (a change
   * of the values' distribution).
   */
  DriftWindows drift() {
    return drift;
  }

  /** Returns the settings of drift alarms and of the slow log, for registration. */
  public static List<Setting<?>> settings() {
    List<Setting<?>> all = new ArrayList<>(SlowLog.all());
    all.add(DriftWindows.LENGTH);
    all.add(DriftWindows.ALARM);
    return all;
  }

  /** Reads and follows the settings. Logs a warning if this JVM has known defects. */
  public void start(Settings settings, ClusterSettings cluster) {
    JvmStats.ofThisNode().warnOfDefects();
    drift.follow(settings, cluster);
    slowLog.follow(settings, cluster);
  }

  /**
   * Sets the listener that is called each time a model has scored a list of hits. It must be fast.
   */
  public void onScored(Consumer<ModelId> listener) {
    onScored = listener;
  }

  /**
   * From now on, sends all counts to the server's registry of metrics too, and registers gauges
   * (current values) there.
   */
  public void sendTo(
      MetricsRegistry registry,
      VerifyStats verifications,
      ClusterService clusterService,
      ModelService nodeModels) {
    TelemetryMetrics registered = new TelemetryMetrics(registry);
    sendTo(registered);
    verifications.sendTo(registered);
    NodeGauges.register(registered, clusterService, nodeModels, drift);
  }

  void sendTo(Metrics registered) {
    metrics = registered;
    pipelines.sendTo(registered);
  }

  /**
   * Records the feature values of documents that a model scored.
   *
   * @param ensemble returns the model; called only when the model scores for the first time
   * @param matrix the values of the model's features
   */
  public void observe(ModelId id, Supplier<TreeEnsemble> ensemble, FeatureMatrix matrix) {
    observed.observe(id, matrix);
    drift.observe(id, ensemble, matrix);
  }

  /** Returns the counters of search pipelines. */
  public PipelineStats pipelines() {
    return pipelines;
  }

  /** Returns the counters that compare models. */
  public ComparisonStats comparisons() {
    return comparisons;
  }

  /**
   * Counts a search for which this node, as the coordinating node, has selected the versions of the
   * models.
   *
   * @param nanos the time for the selection, in nanoseconds
   */
  public void bound(List<ModelId> ids, long nanos) {
    counts.add(Measure.Rescore.SEARCHES, 1);
    times.add(Part.BIND, nanos);
    ids.forEach(id -> count(id, Measure.Model.SEARCHES, 1));
  }

  /**
   * Counts a list of a shard's hits that models ranked on this node, and logs the ranking if it
   * took long.
   *
   * @param shard returns the name of the shard, for the log
   * @param request returns a description of the search, for the log
   */
  public void rescored(
      List<ModelId> ids,
      Supplier<String> shard,
      Supplier<String> request,
      int documentCount,
      long extractNanos,
      long scoreNanos,
      long sortNanos) {
    slowLog.log(
        ids,
        shard,
        request,
        documentCount,
        extractNanos + scoreNanos + sortNanos,
        () ->
            "extract_nanos["
                + extractNanos
                + "], score_nanos["
                + scoreNanos
                + "], sort_nanos["
                + sortNanos
                + "]");
    counts.add(Measure.Rescore.WINDOWS, 1);
    counts.add(Measure.Rescore.DOCUMENTS, documentCount);
    times.add(Part.EXTRACT, extractNanos);
    times.add(Part.SCORE, scoreNanos);
    times.add(Part.SORT, sortNanos);
  }

  /** Counts a list of hits of all shards that models ranked together on this coordinating node. */
  public void ranked(int documentCount, long sortNanos) {
    counts.add(Measure.Rescore.GLOBAL_WINDOWS, 1);
    counts.add(Measure.Rescore.GLOBAL_DOCUMENTS, documentCount);
    times.add(Part.SORT, sortNanos);
  }

  /** Adds the time for scoring hits that are ranked together with those of other shards. */
  public void scored(long nanos) {
    times.add(Part.SCORE, nanos);
  }

  /**
   * Counts a list of a shard's hits that a model scored on this node.
   *
   * @param extractNanos the time for computing the features of all models of the search, in
   *     nanoseconds
   * @param scoreNanos the time for computing this model's scores, in nanoseconds
   */
  public void scored(ModelId id, int documentCount, long extractNanos, long scoreNanos) {
    onScored.accept(id);
    count(id, Measure.Model.WINDOWS, 1);
    count(id, Measure.Model.DOCUMENTS, documentCount);
    time(id, Part.EXTRACT, extractNanos);
    time(id, Part.SCORE, scoreNanos);
  }

  /** Counts a list of a shard's hits whose ranking by these models failed. */
  public void failed(List<ModelId> ids) {
    counts.add(Measure.Rescore.FAILURES, 1);
    ids.forEach(id -> count(id, Measure.Model.FAILURES, 1));
  }

  /**
   * Counts a list of a shard's hits that was not ranked, because the search ran out of time, and
   * logs it if it took long.
   *
   * @param shard returns the name of the shard, for the log
   * @param request returns a description of the search, for the log
   * @param nanos the time until the ranking was ended
   */
  public void overBudget(
      List<ModelId> ids,
      Supplier<String> shard,
      Supplier<String> request,
      int documentCount,
      long nanos) {
    slowLog.log(ids, shard, request, documentCount, nanos, () -> "over_budget[true]");
    counts.add(Measure.Rescore.OVER_BUDGET, 1);
    ids.forEach(id -> count(id, Measure.Model.OVER_BUDGET, 1));
  }

  private void count(ModelId id, Measure.Model measure, long number) {
    counters(id).counts.add(measure, number);
    metrics.add(measure, id.name(), number);
  }

  private void time(ModelId id, Part part, long nanos) {
    counters(id).times.add(part, nanos);
    metrics.took(part, id.name(), nanos);
  }

  private ModelCounters counters(ModelId id) {
    return models.computeIfAbsent(id, model -> new ModelCounters());
  }

  /**
   * Removes the counters of models that do not exist; {@code kept} says whether a version exists.
   */
  public void retain(Predicate<ModelId> kept) {
    observed.retain(kept);
    comparisons.retain(kept);
    drift.retain(kept);
    models.keySet().removeIf(kept.negate());
  }

  /** Returns the values of all counters. */
  public Counts counts() {
    Map<ModelId, ModelCounters.Reading> byModel = new HashMap<>();
    models.forEach((id, counters) -> byModel.put(id, counters.read()));
    return new Counts(
        counts.read(),
        times.read(),
        byModel,
        drift.alarms(),
        pipelines.counts(),
        comparisons.counts());
  }

  /**
   * The values of all counters of rescoring at one moment.
   *
   * @param counts the counters of the node
   * @param alarms the drift of the features of each model
   */
  public record Counts(
      Counters.Reading<Measure.Rescore> counts,
      TimeCounters.Reading times,
      Map<ModelId, ModelCounters.Reading> models,
      Map<ModelId, DriftWindows.Alarms> alarms,
      PipelineStats.Counts pipelines,
      ComparisonCounts comparisons)
      implements WireRecord, ToXContentFragment {
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, ToXContent.Params params)
        throws IOException {
      builder.startObject("rescore");
      counts.toXContent(builder);
      times.toXContent(builder);
      pipelines.toXContent(builder, params);
      return builder.endObject();
    }

    /** Returns the counters of a version of a model. */
    public ModelCounters.Reading of(ModelId id) {
      return models.getOrDefault(id, ModelCounters.Reading.NONE);
    }

    /**
     * Writes a model's counters as JSON, and, if known, how far the values of its features have
     * drifted.
     */
    public void toXContent(ModelId id, XContentBuilder builder) throws IOException {
      of(id).toXContent(builder);
      DriftWindows.Alarms alarm = alarms.get(id);
      if (alarm != null) {
        alarm.toXContent(builder);
      }
    }
  }

  /**
   * The counters and timers of one version of a model on one node. Safe for use by several threads.
   */
  static final class ModelCounters {
    /** The parts of rescoring that are timed for each model. */
    static final Set<Part> PARTS = EnumSet.of(Part.EXTRACT, Part.SCORE);

    private final Counters<Measure.Model> counts =
        new Counters<>(EnumSet.allOf(Measure.Model.class));
    private final TimeCounters times = new TimeCounters(PARTS);

    Reading read() {
      return new Reading(counts.read(), times.read());
    }

    /** The values of a model's counters and timers at one moment. */
    public record Reading(Counters.Reading<Measure.Model> counts, TimeCounters.Reading times)
        implements WireRecord {
      public static final Reading NONE = new ModelCounters().read();

      void toXContent(XContentBuilder builder) throws IOException {
        builder.startObject("rescore");
        counts.toXContent(builder);
        times.toXContent(builder);
        builder.endObject();
      }
    }
  }
}
