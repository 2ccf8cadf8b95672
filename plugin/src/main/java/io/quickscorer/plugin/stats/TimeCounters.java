// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.stats.Measure.Part;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.opensearch.core.xcontent.XContentBuilder;

/** A histogram of times for each part of rescoring. Safe for use by several threads. */
final class TimeCounters {
  private final Map<Part, Histogram> times = new EnumMap<>(Part.class);

  TimeCounters(Set<Part> parts) {
    parts.forEach(part -> times.put(part, new Histogram()));
  }

  void add(Part part, long nanos) {
    Objects.requireNonNull(times.get(part)).add(nanos);
  }

  Reading read() {
    Map<Part, Histogram.Reading> readings = new EnumMap<>(Part.class);
    times.forEach((part, time) -> readings.put(part, time.read()));
    return new Reading(readings);
  }

  /**
   * The values of all histograms at one moment.
   *
   * @param times the values of the histogram of each part, in the order of the parts
   */
  public record Reading(Map<Part, Histogram.Reading> times) implements WireRecord {
    public Histogram.Reading of(Part part) {
      return times.getOrDefault(part, Histogram.Reading.NONE);
    }

    void toXContent(XContentBuilder builder) throws IOException {
      builder.startObject("time_in_nanos");
      for (Map.Entry<Part, Histogram.Reading> time : times.entrySet()) {
        builder.field(time.getKey().label(), time.getValue().nanos());
      }
      builder.endObject().startObject("histograms");
      for (Map.Entry<Part, Histogram.Reading> time : times.entrySet()) {
        time.getValue().toXContent(time.getKey().label(), builder);
      }
      builder.endObject();
    }
  }

  /**
   * A histogram of durations. Bucket 0 counts durations below 1 microsecond, and bucket b durations
   * from 2^(b-1) to below 2^b microseconds. The last bucket also counts all longer durations. Safe
   * for use by several threads.
   */
  static final class Histogram {
    /** Number of buckets. The last bucket starts at about four seconds. */
    private static final int BUCKETS = 24;

    private static final long NANOS_PER_MICRO = 1_000;

    private final LongAdder sum = new LongAdder();
    private final LongAdder[] counts =
        Stream.generate(LongAdder::new).limit(BUCKETS).toArray(LongAdder[]::new);

    void add(long nanos) {
      sum.add(nanos);
      counts[bucketOf(nanos)].increment();
    }

    static int bucketOf(long nanos) {
      long micros = Math.max(0, nanos) / NANOS_PER_MICRO;
      return Math.min(BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(micros));
    }

    Reading read() {
      return new Reading(sum.sum(), Arrays.stream(counts).map(LongAdder::sum).toList());
    }

    /**
     * The values of a histogram at one moment.
     *
     * @param nanos the sum of all durations, in nanoseconds
     * @param counts the number of durations in each bucket
     */
    public record Reading(long nanos, List<Long> counts) implements WireRecord {
      static final Reading NONE = new Histogram().read();

      public long count() {
        return counts.stream().mapToLong(Long::longValue).sum();
      }

      /**
       * Returns an upper bound of a percentile, in nanoseconds: the upper bound of the bucket that
       * contains the percentile.
       *
       * @param share the percentile, 0 to 1
       */
      public long nanos(double share) {
        long wanted = (long) Math.ceil(share * count());
        long seen = 0;
        for (int c = 0; c < counts.size(); c++) {
          seen += counts.get(c);
          if (seen >= wanted) {
            return end(c);
          }
        }
        return end(counts.size());
      }

      /** Returns the upper bound of a bucket, in nanoseconds. */
      public static long end(int bucket) {
        return (1L << bucket) * NANOS_PER_MICRO;
      }

      /**
       * Writes the histogram as JSON: {@code name: {count, p50…, below_nanos: {"64000": 3, …}}},
       * without empty buckets.
       */
      void toXContent(String name, XContentBuilder builder) throws IOException {
        builder.startObject(name).field("count", count());
        if (count() > 0) {
          builder.field("p50_below_nanos", nanos(0.5));
          builder.field("p90_below_nanos", nanos(0.9));
          builder.field("p95_below_nanos", nanos(0.95));
          builder.field("p99_below_nanos", nanos(0.99));
        }
        builder.startObject("below_nanos");
        for (int c = 0; c < counts.size(); c++) {
          if (counts.get(c) > 0) {
            builder.field(Long.toString(end(c)), counts.get(c));
          }
        }
        builder.endObject().endObject();
      }
    }
  }
}
