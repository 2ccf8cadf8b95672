// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A set of counters, one for each constant of an enum of measures. Safe for use by several threads.
 *
 * @param <M> the enum, whose constants are the measures
 */
final class Counters<M extends Enum<M> & Measure> {
  private final Map<M, LongAdder> counts;

  /** Creates counters with the value 0 for the given measures, at least one. */
  Counters(Set<M> measures) {
    counts = new EnumMap<>(measures.iterator().next().getDeclaringClass());
    measures.forEach(measure -> counts.put(measure, new LongAdder()));
  }

  void add(M measure, long number) {
    Objects.requireNonNull(counts.get(measure)).add(number);
  }

  Reading<M> read() {
    Map<M, Long> sums = new EnumMap<>(counts.keySet().iterator().next().getDeclaringClass());
    counts.forEach((measure, count) -> sums.put(measure, count.sum()));
    return new Reading<>(sums);
  }

  /**
   * The values of the counters at one moment.
   *
   * @param counts the value of each counter, in the order of the measures
   */
  public record Reading<M extends Enum<M> & Measure>(Map<M, Long> counts) implements WireRecord {
    public long of(M measure) {
      return counts.getOrDefault(measure, 0L);
    }

    void toXContent(XContentBuilder builder) throws IOException {
      for (Map.Entry<M, Long> count : counts.entrySet()) {
        builder.field(count.getKey().label(), count.getValue());
      }
    }
  }
}
