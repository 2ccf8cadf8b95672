// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.wire.WireRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * The values that the features of each model had when it scored on this node: how many were
 * missing, and the bounds of the others. The first documents of each window count, which by their
 * ids are no better than the rest. Safe for use by several threads.
 */
final class ObservedFeatures {
  /** Documents of a window that count: bounds what observing costs. */
  private static final int DOCUMENTS = 128;

  private final Map<ModelId, Counter[]> models = new ConcurrentHashMap<>();

  private static final class Counter {
    private final LongAdder seen = new LongAdder();
    private final LongAdder missing = new LongAdder();
    private final DoubleAccumulator min =
        new DoubleAccumulator(Math::min, Double.POSITIVE_INFINITY);
    private final DoubleAccumulator max =
        new DoubleAccumulator(Math::max, Double.NEGATIVE_INFINITY);

    private void add(FeatureMatrix matrix, int feature, int documents) {
      int at = matrix.column(feature);
      int absent = 0;
      float least = Float.POSITIVE_INFINITY;
      float highest = Float.NEGATIVE_INFINITY;
      for (int i = at; i < at + documents; i++) {
        float value = matrix.values()[i];
        if (Float.isNaN(value)) {
          absent++;
        } else {
          least = Math.min(least, value);
          highest = Math.max(highest, value);
        }
      }
      seen.add(documents);
      missing.add(absent);
      if (absent < documents) {
        min.accumulate(least);
        max.accumulate(highest);
      }
    }

    private Values read() {
      return new Values(seen.sum(), missing.sum(), min.get(), max.get());
    }
  }

  /**
   * The values of one feature.
   *
   * @param seen documents
   * @param missing documents without a value
   * @param min least value; infinite if there was none
   * @param max greatest value; likewise
   */
  public record Values(long seen, long missing, double min, double max) implements WireRecord {
    public static final Values NONE =
        new Values(0, 0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);

    /** Returns these values combined with others. */
    public Values and(Values other) {
      return new Values(
          seen + other.seen,
          missing + other.missing,
          Math.min(min, other.min),
          Math.max(max, other.max));
    }
  }

  /**
   * Counts a window.
   *
   * @param matrix the model's own
   */
  public void observe(ModelId id, FeatureMatrix matrix) {
    Counter[] counters =
        models.computeIfAbsent(
            id,
            model -> {
              Counter[] made = new Counter[matrix.features()];
              for (int f = 0; f < made.length; f++) {
                made[f] = new Counter();
              }
              return made;
            });
    int documents = documents(matrix);
    for (int f = 0; f < counters.length; f++) {
      counters[f].add(matrix, f, documents);
    }
  }

  /** Returns how many of a window's first documents are recorded. */
  static int documents(FeatureMatrix matrix) {
    return Math.min(DOCUMENTS, matrix.documents());
  }

  /**
   * Returns the values of each feature of a model, in its order; empty if the model has not scored
   * here.
   */
  public List<Values> read(ModelId id) {
    List<Values> values = new ArrayList<>();
    Counter[] counters = models.get(id);
    if (counters != null) {
      for (Counter counter : counters) {
        values.add(counter.read());
      }
    }
    return values;
  }

  /** Forgets the models that are not there. */
  public void retain(Predicate<ModelId> kept) {
    models.keySet().removeIf(kept.negate());
  }
}
