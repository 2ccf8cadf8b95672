// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.stats.Measure.Part;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A set of counters, one {@link TimeHistogram} for each part of rescoring. Safe for use by several
 * threads.
 */
final class TimeCounters {
  private final Map<Part, TimeHistogram> times = new EnumMap<>(Part.class);

  TimeCounters(Set<Part> parts) {
    parts.forEach(part -> times.put(part, new TimeHistogram()));
  }

  void add(Part part, long nanos) {
    Objects.requireNonNull(times.get(part)).add(nanos);
  }

  Reading read() {
    Map<Part, TimeHistogram.Reading> readings = new EnumMap<>(Part.class);
    times.forEach((part, time) -> readings.put(part, time.read()));
    return new Reading(readings);
  }

  /**
   * The values of all time counters at one moment.
   *
   * @param times the values by part, in the order of the parts
   */
  public record Reading(Map<Part, TimeHistogram.Reading> times) implements WireRecord {
    public TimeHistogram.Reading of(Part part) {
      return times.getOrDefault(part, TimeHistogram.Reading.NONE);
    }

    void toXContent(XContentBuilder builder) throws IOException {
      builder.startObject("time_in_nanos");
      for (Map.Entry<Part, TimeHistogram.Reading> time : times.entrySet()) {
        builder.field(time.getKey().label(), time.getValue().nanos());
      }
      builder.endObject().startObject("histograms");
      for (Map.Entry<Part, TimeHistogram.Reading> time : times.entrySet()) {
        time.getValue().toXContent(time.getKey().label(), builder);
      }
      builder.endObject();
    }
  }
}
