// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.XContentBuilder;

/** Counts what one version of a model scored on one node. Safe for use by several threads. */
public final class ModelCounters {
  private final LongAdder searches = new LongAdder();
  private final LongAdder windows = new LongAdder();
  private final LongAdder documents = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder overBudget = new LongAdder();
  private final TimeCounter extract = new TimeCounter();
  private final TimeCounter score = new TimeCounter();

  void searched() {
    searches.increment();
  }

  void scored(int documentCount, long extractNanos, long scoreNanos) {
    windows.increment();
    documents.add(documentCount);
    extract.add(extractNanos);
    score.add(scoreNanos);
  }

  void failed() {
    failures.increment();
  }

  void overBudget() {
    overBudget.increment();
  }

  Reading read() {
    return new Reading(
        searches.sum(),
        windows.sum(),
        documents.sum(),
        failures.sum(),
        overBudget.sum(),
        extract.read(),
        score.read());
  }

  /**
   * One reading of the counters.
   *
   * @param searches searches that named it and were bound here as coordinator
   * @param windows shard windows that it scored
   * @param documents documents of all of them
   * @param failures shard windows that failed, by its fault or another's in the same clause
   * @param overBudget shard windows whose time was up
   * @param extract time for the features of its windows, which the models of a clause share
   * @param score time for its trees
   */
  public record Reading(
      long searches,
      long windows,
      long documents,
      long failures,
      long overBudget,
      TimeCounter.Reading extract,
      TimeCounter.Reading score)
      implements Writeable {
    public static final Reading NONE =
        new Reading(0, 0, 0, 0, 0, TimeCounter.Reading.NONE, TimeCounter.Reading.NONE);

    Reading(StreamInput in) throws IOException {
      this(
          in.readVLong(),
          in.readVLong(),
          in.readVLong(),
          in.readVLong(),
          in.readVLong(),
          new TimeCounter.Reading(in),
          new TimeCounter.Reading(in));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      out.writeVLong(searches);
      out.writeVLong(windows);
      out.writeVLong(documents);
      out.writeVLong(failures);
      out.writeVLong(overBudget);
      extract.writeTo(out);
      score.writeTo(out);
    }

    void toXContent(XContentBuilder builder) throws IOException {
      builder.startObject("rescore");
      builder.field("searches", searches);
      builder.field("windows", windows);
      builder.field("documents", documents);
      builder.field("failures", failures);
      builder.field("over_budget", overBudget);
      builder.startObject("time_in_nanos");
      builder.field("extract", extract.nanos());
      builder.field("score", score.nanos());
      builder.endObject().startObject("histograms");
      extract.histogram().toXContent("extract", builder);
      score.histogram().toXContent("score", builder);
      builder.endObject().endObject();
    }
  }
}
