// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.model.ModelId;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Counts what the reference scored again on one node since it started. Safe for use by several
 * threads.
 */
public final class VerifyStats {
  private final LongAdder disagreements = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAdder droppedQueue = new LongAdder();
  private final LongAdder droppedMemory = new LongAdder();
  private final LongAdder droppedModel = new LongAdder();
  private final Counter all = new Counter();
  private final Map<ModelId, Counter> models = new ConcurrentHashMap<>();

  private static final class Counter {
    private final LongAdder windows = new LongAdder();
    private final LongAdder documents = new LongAdder();
    private final LongAdder mismatches = new LongAdder();

    void add(int documentCount, int wrong) {
      windows.increment();
      documents.add(documentCount);
      mismatches.add(wrong);
    }

    Verified read() {
      return new Verified(windows.sum(), documents.sum(), mismatches.sum());
    }
  }

  /**
   * A sample was compared.
   *
   * @param wrong documents whose score the engine had wrong
   */
  public void verified(ModelId id, int documents, int wrong) {
    all.add(documents, wrong);
    models.computeIfAbsent(id, model -> new Counter()).add(documents, wrong);
  }

  /** The reference gave two answers, or another one than an independent engine. */
  public void disagreed() {
    disagreements.increment();
  }

  /** A sample could not be taken or compared for a reason that is a defect. */
  public void failed() {
    failures.increment();
  }

  /** Comparing a sample took so long, whatever came of it. */
  public void took(long time) {
    nanos.add(time);
  }

  /** There were too many samples waiting to take one more. */
  public void droppedForQueue() {
    droppedQueue.increment();
  }

  /** There was no memory for a sample, or for the reference. */
  public void droppedForMemory() {
    droppedMemory.increment();
  }

  /** The model went, or the node is about to end, before the sample's turn came. */
  public void droppedForModel() {
    droppedModel.increment();
  }

  /** Forgets the models that are not there; the node's counters keep what they contributed. */
  public void retain(Predicate<ModelId> there) {
    models.keySet().removeIf(there.negate());
  }

  /** The counters as they stand. */
  public Counts counts() {
    Map<ModelId, Verified> byModel = new HashMap<>();
    models.forEach((id, counter) -> byModel.put(id, counter.read()));
    return new Counts(
        all.read(),
        disagreements.sum(),
        failures.sum(),
        nanos.sum(),
        droppedQueue.sum(),
        droppedMemory.sum(),
        droppedModel.sum(),
        byModel);
  }

  /**
   * What was compared.
   *
   * @param windows samples, each of one window
   * @param documents of all samples
   * @param mismatches documents of which an engine had the score wrong
   */
  public record Verified(long windows, long documents, long mismatches) implements Writeable {
    static final Verified NONE = new Verified(0, 0, 0);

    Verified(StreamInput in) throws IOException {
      this(in.readVLong(), in.readVLong(), in.readVLong());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      out.writeVLong(windows);
      out.writeVLong(documents);
      out.writeVLong(mismatches);
    }

    void toXContent(XContentBuilder builder) throws IOException {
      builder.field("windows", windows);
      builder.field("documents", documents);
      builder.field("mismatches", mismatches);
    }
  }

  /**
   * One reading of the counters.
   *
   * @param disagreements samples of which the reference gave two answers
   * @param failures samples lost to a defect
   * @param nanos time spent on the verifier's threads
   * @param droppedQueue samples not taken because too many were waiting
   * @param droppedMemory samples not taken or compared for lack of memory
   * @param droppedModel samples whose model went before their turn
   */
  public record Counts(
      Verified all,
      long disagreements,
      long failures,
      long nanos,
      long droppedQueue,
      long droppedMemory,
      long droppedModel,
      Map<ModelId, Verified> models)
      implements Writeable, ToXContentFragment {

    public Counts(StreamInput in) throws IOException {
      this(
          new Verified(in),
          in.readVLong(),
          in.readVLong(),
          in.readVLong(),
          in.readVLong(),
          in.readVLong(),
          in.readVLong(),
          in.readMap(ModelId::new, Verified::new));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      all.writeTo(out);
      out.writeVLong(disagreements);
      out.writeVLong(failures);
      out.writeVLong(nanos);
      out.writeVLong(droppedQueue);
      out.writeVLong(droppedMemory);
      out.writeVLong(droppedModel);
      out.writeMap(models, (o, id) -> id.writeTo(o), (o, verified) -> verified.writeTo(o));
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, ToXContent.Params params)
        throws IOException {
      builder.startObject("verify");
      all.toXContent(builder);
      builder.field("reference_disagreements", disagreements);
      builder.field("failures", failures);
      builder.startObject("dropped");
      builder.field("queue", droppedQueue);
      builder.field("memory", droppedMemory);
      builder.field("model", droppedModel);
      builder.endObject();
      return builder.field("time_in_nanos", nanos).endObject();
    }

    /** Writes a model's own counters. */
    public void toXContent(ModelId id, XContentBuilder builder) throws IOException {
      builder.startObject("verified");
      models.getOrDefault(id, Verified.NONE).toXContent(builder);
      builder.endObject();
    }
  }
}
