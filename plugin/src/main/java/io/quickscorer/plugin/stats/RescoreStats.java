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
  private final LongAdder bindNanos = new LongAdder();
  private final LongAdder extractNanos = new LongAdder();
  private final LongAdder scoreNanos = new LongAdder();
  private final LongAdder sortNanos = new LongAdder();

  /** A search was bound on this node as its coordinator: model pinned, feature queries built. */
  public void bound(long nanos) {
    searches.increment();
    bindNanos.add(nanos);
  }

  /** One shard's window was rescored on this node. */
  public void rescored(int documentCount, long extract, long score, long sort) {
    windows.increment();
    documents.add(documentCount);
    extractNanos.add(extract);
    scoreNanos.add(score);
    sortNanos.add(sort);
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
        bindNanos.sum(),
        extractNanos.sum(),
        scoreNanos.sum(),
        sortNanos.sum());
  }

  /**
   * One reading of the counters; times are sums in nanoseconds.
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
      long bindNanos,
      long extractNanos,
      long scoreNanos,
      long sortNanos)
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
          in.readVLong(),
          in.readVLong());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      out.writeVLong(searches);
      out.writeVLong(windows);
      out.writeVLong(documents);
      out.writeVLong(failures);
      out.writeVLong(overBudget);
      out.writeVLong(bindNanos);
      out.writeVLong(extractNanos);
      out.writeVLong(scoreNanos);
      out.writeVLong(sortNanos);
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
      builder.field("bind", bindNanos);
      builder.field("extract", extractNanos);
      builder.field("score", scoreNanos);
      builder.field("sort", sortNanos);
      return builder.endObject().endObject();
    }
  }
}
