// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.wire.WireRecord;
import java.util.concurrent.atomic.LongAdder;

/** The time that one part of the work takes. Safe for use by several threads. */
final class TimeCounter {
  private final LongAdder nanos = new LongAdder();
  private final TimeHistogram histogram = new TimeHistogram();

  void add(long took) {
    nanos.add(took);
    histogram.add(took);
  }

  Reading read() {
    return new Reading(nanos.sum(), histogram.read());
  }

  /**
   * One reading.
   *
   * @param nanos altogether
   * @param histogram how often how long
   */
  public record Reading(long nanos, TimeHistogram.Reading histogram) implements WireRecord {
    static final Reading NONE = new TimeCounter().read();
  }
}
