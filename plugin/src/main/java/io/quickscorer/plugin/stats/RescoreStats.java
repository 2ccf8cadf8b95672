// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/** Counts rescoring on one node since it started. Safe for use by several threads. */
public final class RescoreStats {
  private final LongAdder searches = new LongAdder();
  private final LongAdder windows = new LongAdder();
  private final LongAdder documents = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder overBudget = new LongAdder();
  private final Part bind = new Part();
  private final Part extract = new Part();
  private final Part score = new Part();
  private final Part sort = new Part();
  private final ObservedFeatures observed = new ObservedFeatures();

  /** One part of the work. */
  private static final class Part {
    private final LongAdder nanos = new LongAdder();
    private final TimeHistogram histogram = new TimeHistogram();

    void add(long took) {
      nanos.add(took);
      histogram.add(took);
    }

    Time read() {
      return new Time(nanos.sum(), histogram.read());
    }
  }

  /** What values features have where they are scored. */
  public ObservedFeatures observed() {
    return observed;
  }

  /** A search was bound on this node as its coordinator: model pinned, feature queries built. */
  public void bound(long nanos) {
    searches.increment();
    bind.add(nanos);
  }

  /** One shard's window was rescored on this node. */
  public void rescored(int documentCount, long extractNanos, long scoreNanos, long sortNanos) {
    windows.increment();
    documents.add(documentCount);
    extract.add(extractNanos);
    score.add(scoreNanos);
    sort.add(sortNanos);
  }

  /** One shard's window could not be rescored. */
  public void failed() {
    failures.increment();
  }

  /** One shard's window was left as it was because its time was up. */
  public void overBudget() {
    overBudget.increment();
  }

  /** The counters as they stand. */
  public Counts counts() {
    return new Counts(
        searches.sum(),
        windows.sum(),
        documents.sum(),
        failures.sum(),
        overBudget.sum(),
        bind.read(),
        extract.read(),
        score.read(),
        sort.read());
  }

  /**
   * The time that one part of the work took.
   *
   * @param nanos altogether
   * @param histogram how often how long
   */
  record Time(long nanos, TimeHistogram.Reading histogram) implements Writeable {
    Time(StreamInput in) throws IOException {
      this(in.readVLong(), new TimeHistogram.Reading(in));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      out.writeVLong(nanos);
      histogram.writeTo(out);
    }
  }

  /**
   * One reading of the counters.
   *
   * @param searches searches bound here as coordinator
   * @param windows shard windows rescored here
   * @param documents documents rescored here
   * @param failures shard windows that failed here
   * @param overBudget shard windows that took longer here than their search allowed
   */
  public record Counts(
      long searches,
      long windows,
      long documents,
      long failures,
      long overBudget,
      Time bind,
      Time extract,
      Time score,
      Time sort)
      implements Writeable, ToXContentFragment {

    public Counts(StreamInput in) throws IOException {
      this(
          in.readVLong(),
          in.readVLong(),
          in.readVLong(),
          in.readVLong(),
          in.readVLong(),
          new Time(in),
          new Time(in),
          new Time(in),
          new Time(in));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      out.writeVLong(searches);
      out.writeVLong(windows);
      out.writeVLong(documents);
      out.writeVLong(failures);
      out.writeVLong(overBudget);
      bind.writeTo(out);
      extract.writeTo(out);
      score.writeTo(out);
      sort.writeTo(out);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, ToXContent.Params params)
        throws IOException {
      builder.startObject("rescore");
      builder.field("searches", searches);
      builder.field("windows", windows);
      builder.field("documents", documents);
      builder.field("failures", failures);
      builder.field("over_budget", overBudget);
      builder.startObject("time_in_nanos");
      builder.field("bind", bind.nanos);
      builder.field("extract", extract.nanos);
      builder.field("score", score.nanos);
      builder.field("sort", sort.nanos);
      builder.endObject().startObject("histograms");
      bind.histogram.toXContent("bind", builder);
      extract.histogram.toXContent("extract", builder);
      score.histogram.toXContent("score", builder);
      sort.histogram.toXContent("sort", builder);
      return builder.endObject().endObject();
    }
  }
}
