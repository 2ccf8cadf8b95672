// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.stats.Measure.Verify;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Counters of the verification of scores on one node. A sample of scores is computed again by
 * another algorithm, and compared. Safe for use by several threads.
 */
public final class VerifyStats {
  /**
   * The measures that are counted for each model and for the node; other measures are counted only
   * for the node.
   */
  private static final Set<Verify> OF_MODEL =
      EnumSet.of(Verify.WINDOWS, Verify.DOCUMENTS, Verify.MISMATCHES);

  private final Counters<Verify> all = new Counters<>(EnumSet.allOf(Verify.class));
  private final Map<ModelId, Counters<Verify>> models = new ConcurrentHashMap<>();
  private final LongAdder nanos = new LongAdder();
  private volatile Metrics metrics = Metrics.NONE;

  void sendTo(Metrics registered) {
    metrics = registered;
  }

  /**
   * Counts a sample of scores that was verified.
   *
   * @param documents the number of documents in the sample
   * @param wrong the number of documents with a wrong score
   */
  public void verified(ModelId id, int documents, int wrong) {
    count(id, Verify.WINDOWS, 1);
    count(id, Verify.DOCUMENTS, documents);
    count(id, Verify.MISMATCHES, wrong);
  }

  private void count(ModelId id, Verify measure, int number) {
    all.add(measure, number);
    models.computeIfAbsent(id, model -> new Counters<>(OF_MODEL)).add(measure, number);
    metrics.add(measure, id.name(), number);
  }

  /** Adds 1 to a counter that exists only for the node, not for each model. */
  public void count(Verify measure) {
    all.add(measure, 1);
    metrics.add(measure, "", 1);
  }

  /** Adds the time, in nanoseconds, of the verification of one sample. */
  public void took(long time) {
    nanos.add(time);
  }

  /**
   * Removes the counters of models that do not exist; {@code kept} says whether a version exists.
   */
  public void retain(Predicate<ModelId> kept) {
    models.keySet().removeIf(kept.negate());
  }

  /** Returns the values of all counters of the verification. */
  public Counts counts() {
    Map<ModelId, Counters.Reading<Verify>> byModel = new HashMap<>();
    models.forEach((id, counter) -> byModel.put(id, counter.read()));
    return new Counts(all.read(), nanos.sum(), byModel);
  }

  /**
   * The values of all counters of the verification at one moment.
   *
   * @param all the counters of the node
   * @param nanos the time that the threads of the verification have used, in nanoseconds
   * @param models the counters of each model
   */
  public record Counts(
      Counters.Reading<Verify> all, long nanos, Map<ModelId, Counters.Reading<Verify>> models)
      implements WireRecord, ToXContentFragment {
    private static final Counters.Reading<Verify> NONE = new Counters<>(OF_MODEL).read();

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, ToXContent.Params params)
        throws IOException {
      builder.startObject("verify");
      all.toXContent(builder);
      return builder.field("time_in_nanos", nanos).endObject();
    }

    /** Returns the verification's counters for a version of a model. */
    public Counters.Reading<Verify> of(ModelId id) {
      return models.getOrDefault(id, NONE);
    }

    /** Writes the verification's counters for a version of a model as JSON. */
    public void toXContent(ModelId id, XContentBuilder builder) throws IOException {
      builder.startObject("verified");
      of(id).toXContent(builder);
      builder.endObject();
    }
  }
}
