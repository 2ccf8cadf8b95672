// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.stats.Measure.Part;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * The counters and timers of one version of a model on one node. Safe for use by several threads.
 */
final class ModelCounters {
  /** The parts of rescoring that are timed for each model. */
  static final Set<Part> PARTS = EnumSet.of(Part.EXTRACT, Part.SCORE);

  private final Counters<Measure.Model> counts = new Counters<>(EnumSet.allOf(Measure.Model.class));
  private final TimeCounters times = new TimeCounters(PARTS);

  Counters<Measure.Model> counts() {
    return counts;
  }

  TimeCounters times() {
    return times;
  }

  Reading read() {
    return new Reading(counts.read(), times.read());
  }

  /** The values of the counters and timers at one moment. */
  public record Reading(Counters.Reading<Measure.Model> counts, TimeCounters.Reading times)
      implements WireRecord {
    public static final Reading NONE = new ModelCounters().read();

    void toXContent(XContentBuilder builder) throws IOException {
      builder.startObject("rescore");
      counts.toXContent(builder);
      times.toXContent(builder);
      builder.endObject();
    }
  }
}
