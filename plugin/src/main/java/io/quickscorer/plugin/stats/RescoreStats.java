// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.model.ModelId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.threadpool.ThreadPool;

/** Counts rescoring on one node since it started. Safe for use by several threads. */
public final class RescoreStats {
  private final LongAdder searches = new LongAdder();
  private final LongAdder windows = new LongAdder();
  private final LongAdder documents = new LongAdder();
  private final LongAdder globalWindows = new LongAdder();
  private final LongAdder globalDocuments = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder overBudget = new LongAdder();
  private final TimeCounter bind = new TimeCounter();
  private final TimeCounter extract = new TimeCounter();
  private final TimeCounter score = new TimeCounter();
  private final TimeCounter sort = new TimeCounter();
  private final ObservedFeatures observed = new ObservedFeatures();
  private final DriftWindows drift = new DriftWindows(System::currentTimeMillis);
  private final Map<ModelId, ModelCounters> models = new ConcurrentHashMap<>();
  private final PipelineStats pipelines = new PipelineStats();
  private final ComparisonStats comparisons = new ComparisonStats();
  private final SlowLog slowLog = new SlowLog();
  private volatile Metrics metrics = Metrics.NONE;
  private volatile Consumer<ModelId> onScored = id -> {};

  /** What values features have where they are scored. */
  public ObservedFeatures observed() {
    return observed;
  }

  /** How the values of features are distributed over time. */
  public DriftWindows drift() {
    return drift;
  }

  /** Where windows that took long are logged. */
  public SlowLog slowLog() {
    return slowLog;
  }

  /** Tells of each window that a model scored; what is told must be quick. */
  public void onScored(Consumer<ModelId> told) {
    onScored = told;
  }

  /** Counts from now on in the server's own metrics too. */
  public void sendTo(Metrics registered) {
    metrics = registered;
  }

  /** What search pipelines did. */
  public PipelineStats pipelines() {
    return pipelines;
  }

  /** What tells models from each other. */
  public ComparisonStats comparisons() {
    return comparisons;
  }

  /** Keeps the counts of comparisons on the node's disk while it is started. */
  public KeptComparisons keptComparisons(
      ClusterService clusterService, ThreadPool threadPool, NodeEnvironment node) {
    Path[] data = node.hasNodeFile() ? node.nodeDataPaths() : new Path[0];
    return new KeptComparisons(comparisons, clusterService::state, threadPool, data);
  }

  /** A search was bound on this node as its coordinator: model pinned, feature queries built. */
  public void bound(List<ModelId> ids, long nanos) {
    searches.increment();
    bind.add(nanos);
    ids.forEach(
        id -> {
          counters(id).searched();
          metrics.searched(id.name());
        });
  }

  /** One shard's window was rescored on this node. */
  public void rescored(int documentCount, long extractNanos, long scoreNanos, long sortNanos) {
    windows.increment();
    documents.add(documentCount);
    extract.add(extractNanos);
    score.add(scoreNanos);
    sort.add(sortNanos);
  }

  /** One window of hits of several shards was scored here, where they come together. */
  public void ranked(int documentCount, long scoreNanos, long sortNanos) {
    globalWindows.increment();
    globalDocuments.add(documentCount);
    score.add(scoreNanos);
    sort.add(sortNanos);
  }

  /**
   * A model scored one shard's window on this node, as one of a clause's or the only one.
   *
   * @param extractNanos for the features of all models of the clause
   * @param scoreNanos for this model's trees
   */
  public void scored(ModelId id, int documentCount, long extractNanos, long scoreNanos) {
    onScored.accept(id);
    counters(id).scored(documentCount, extractNanos, scoreNanos);
    metrics.scored(id.name(), documentCount, extractNanos, scoreNanos);
  }

  /** One shard's window could not be rescored by these models. */
  public void failed(List<ModelId> ids) {
    failures.increment();
    for (ModelId id : ids) {
      counters(id).failed();
      metrics.failed(id.name());
    }
  }

  /** One shard's window was left as it was because its time was up. */
  public void overBudget(List<ModelId> ids) {
    overBudget.increment();
    for (ModelId id : ids) {
      counters(id).overBudget();
      metrics.overBudget(id.name());
    }
  }

  private ModelCounters counters(ModelId id) {
    return models.computeIfAbsent(id, model -> new ModelCounters());
  }

  /**
   * Forgets the models that are not there; the node's counters keep what they contributed.
   *
   * @param there whether a version is still on this node
   */
  public void retain(Predicate<ModelId> there) {
    observed.retain(there);
    comparisons.retain(there);
    drift.retain(there);
    models.keySet().removeIf(there.negate());
  }

  /** The counters as they stand. */
  public Counts counts() {
    Map<ModelId, ModelCounters.Reading> byModel = new HashMap<>();
    models.forEach((id, counters) -> byModel.put(id, counters.read()));
    return new Counts(
        searches.sum(),
        windows.sum(),
        documents.sum(),
        globalWindows.sum(),
        globalDocuments.sum(),
        failures.sum(),
        overBudget.sum(),
        bind.read(),
        extract.read(),
        score.read(),
        sort.read(),
        byModel,
        pipelines.counts(),
        comparisons.counts());
  }

  /**
   * One reading of the counters.
   *
   * @param searches searches bound here as coordinator
   * @param windows shard windows rescored here
   * @param documents documents rescored here
   * @param globalWindows windows of hits of all shards scored here as coordinator
   * @param globalDocuments documents in them
   * @param failures shard windows that failed here
   * @param overBudget shard windows that took longer here than their search allowed
   * @param models what each model scored here
   * @param pipelines what search pipelines did here
   * @param comparisons what told models from each other here
   */
  public record Counts(
      long searches,
      long windows,
      long documents,
      long globalWindows,
      long globalDocuments,
      long failures,
      long overBudget,
      TimeCounter.Reading bind,
      TimeCounter.Reading extract,
      TimeCounter.Reading score,
      TimeCounter.Reading sort,
      Map<ModelId, ModelCounters.Reading> models,
      PipelineStats.Counts pipelines,
      ComparisonCounts comparisons)
      implements Writeable, ToXContentFragment {

    public Counts(StreamInput in) throws IOException {
      this(
          in.readVLong(),
          in.readVLong(),
          in.readVLong(),
          in.readVLong(),
          in.readVLong(),
          in.readVLong(),
          in.readVLong(),
          new TimeCounter.Reading(in),
          new TimeCounter.Reading(in),
          new TimeCounter.Reading(in),
          new TimeCounter.Reading(in),
          in.readMap(ModelId::new, ModelCounters.Reading::new),
          new PipelineStats.Counts(in),
          new ComparisonCounts(in));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      out.writeVLong(searches);
      out.writeVLong(windows);
      out.writeVLong(documents);
      out.writeVLong(globalWindows);
      out.writeVLong(globalDocuments);
      out.writeVLong(failures);
      out.writeVLong(overBudget);
      bind.writeTo(out);
      extract.writeTo(out);
      score.writeTo(out);
      sort.writeTo(out);
      out.writeMap(models, (o, id) -> id.writeTo(o), (o, counters) -> counters.writeTo(o));
      pipelines.writeTo(out);
      comparisons.writeTo(out);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, ToXContent.Params params)
        throws IOException {
      builder.startObject("rescore");
      builder.field("searches", searches);
      builder.field("windows", windows);
      builder.field("documents", documents);
      builder.field("global_windows", globalWindows);
      builder.field("global_documents", globalDocuments);
      builder.field("failures", failures);
      builder.field("over_budget", overBudget);
      builder.startObject("time_in_nanos");
      builder.field("bind", bind.nanos());
      builder.field("extract", extract.nanos());
      builder.field("score", score.nanos());
      builder.field("sort", sort.nanos());
      builder.endObject().startObject("histograms");
      bind.histogram().toXContent("bind", builder);
      extract.histogram().toXContent("extract", builder);
      score.histogram().toXContent("score", builder);
      sort.histogram().toXContent("sort", builder);
      builder.endObject();
      pipelines.toXContent(builder, params);
      return builder.endObject();
    }

    /** What a model did here. */
    public ModelCounters.Reading of(ModelId id) {
      return models.getOrDefault(id, ModelCounters.Reading.NONE);
    }

    /** Writes a model's own counters. */
    public void toXContent(ModelId id, XContentBuilder builder) throws IOException {
      of(id).toXContent(builder);
    }
  }
}
