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
 * Records the values of each model's features when the model scores on this node. Only the first
 * documents of each scored list are recorded. These documents are a fair sample, because a list is
 * sorted by document number and not by score. Safe for use by several threads.
 */
final class ObservedFeatures {
  /** Maximum number of documents whose values are recorded from one scored list. */
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
      float smallest = Float.POSITIVE_INFINITY;
      float largest = Float.NEGATIVE_INFINITY;
      for (int i = at; i < at + documents; i++) {
        float value = matrix.values()[i];
        if (Float.isNaN(value)) {
          absent++;
        } else {
          smallest = Math.min(smallest, value);
          largest = Math.max(largest, value);
        }
      }
      seen.add(documents);
      missing.add(absent);
      if (absent < documents) {
        min.accumulate(smallest);
        max.accumulate(largest);
      }
    }

    private Values read() {
      return new Values(seen.sum(), missing.sum(), min.get(), max.get());
    }
  }

  /**
   * The recorded values of one feature.
   *
   * @param seen the number of documents
   * @param missing the number of documents without a value
   * @param min the smallest value; positive infinity if no document had a value
   * @param max the largest value; negative infinity if no document had a value
   */
  public record Values(long seen, long missing, double min, double max) implements WireRecord {
    public static final Values NONE =
        new Values(0, 0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);

    /**
     * Returns these values combined with other values of the feature, for example another node's.
     */
    public Values and(Values other) {
      return new Values(
          seen + other.seen,
          missing + other.missing,
          Math.min(min, other.min),
          Math.max(max, other.max));
    }
  }

  /**
   * Records the feature values of documents that a model scored.
   *
   * @param matrix the values of the model's features
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

  /** Returns how many documents of a matrix, from the first one, are recorded. */
  static int documents(FeatureMatrix matrix) {
    return Math.min(DOCUMENTS, matrix.documents());
  }

  /**
   * Returns the recorded values of each feature of a model, in the model's order; an empty list if
   * the model has not scored on this node.
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

  /**
   * Removes the values recorded for models that no longer exist; {@code kept} returns whether a
   * version exists.
   */
  public void retain(Predicate<ModelId> kept) {
    models.keySet().removeIf(kept.negate());
  }
}
