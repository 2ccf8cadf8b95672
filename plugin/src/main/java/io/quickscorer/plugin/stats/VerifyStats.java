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
 * Counts what the reference scored again on one node since it started. Safe for use by several
 * threads.
 */
public final class VerifyStats {
  /** The measures of a single model. */
  private static final Set<Verify> OF_MODEL =
      EnumSet.of(Verify.WINDOWS, Verify.DOCUMENTS, Verify.MISMATCHES);

  private final Counters<Verify> all = new Counters<>(EnumSet.allOf(Verify.class));
  private final Map<ModelId, Counters<Verify>> models = new ConcurrentHashMap<>();
  private final LongAdder nanos = new LongAdder();
  private volatile Metrics metrics = Metrics.NONE;

  /** Counts from now on in the server's own metrics too. */
  void sendTo(Metrics registered) {
    metrics = registered;
  }

  /**
   * Counts a compared sample.
   *
   * @param wrong number of documents that the engine scored wrong
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

  /** Counts a result of a sample, for all models together. */
  public void count(Verify measure) {
    all.add(measure, 1);
    metrics.add(measure, "", 1);
  }

  /** Adds the time of a comparison, whatever its result. */
  public void took(long time) {
    nanos.add(time);
  }

  /** Forgets the models that are not there; the node's counters keep what they contributed. */
  public void retain(Predicate<ModelId> kept) {
    models.keySet().removeIf(kept.negate());
  }

  /** Returns the present counts. */
  public Counts counts() {
    Map<ModelId, Counters.Reading<Verify>> byModel = new HashMap<>();
    models.forEach((id, counter) -> byModel.put(id, counter.read()));
    return new Counts(all.read(), nanos.sum(), byModel);
  }

  /**
   * One reading of the counters.
   *
   * @param nanos time spent on the verifier's threads
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

    /** Returns the counters of a model. */
    public Counters.Reading<Verify> of(ModelId id) {
      return models.getOrDefault(id, NONE);
    }

    /** Writes a model's own counters. */
    public void toXContent(ModelId id, XContentBuilder builder) throws IOException {
      builder.startObject("verified");
      of(id).toXContent(builder);
      builder.endObject();
    }
  }
}
