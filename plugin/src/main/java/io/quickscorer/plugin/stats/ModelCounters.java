// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.stats.Measure.Part;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.XContentBuilder;

/** Counts what one version of a model scored on one node. Safe for use by several threads. */
public final class ModelCounters {
  /** The parts that are timed for each model. */
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

  /** One reading of the counters. */
  public record Reading(Counters.Reading<Measure.Model> counts, TimeCounters.Reading times)
      implements Writeable {
    public static final Reading NONE = new ModelCounters().read();

    Reading(StreamInput in) throws IOException {
      this(Counters.Reading.read(in, Measure.Model.class), new TimeCounters.Reading(in));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      counts.writeTo(out);
      times.writeTo(out);
    }

    void toXContent(XContentBuilder builder) throws IOException {
      builder.startObject("rescore");
      counts.toXContent(builder);
      times.toXContent(builder);
      builder.endObject();
    }
  }
}
