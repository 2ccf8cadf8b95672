// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.wire.WireRecord;
import java.util.concurrent.atomic.LongAdder;

/**
 * Sums the durations of one part of rescoring, and counts them in a histogram. Safe for use by
 * several threads.
 */
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
   * The values at one moment.
   *
   * @param nanos the sum of all durations, in nanoseconds
   * @param histogram the number of durations in each bucket
   */
  public record Reading(long nanos, TimeHistogram.Reading histogram) implements WireRecord {
    static final Reading NONE = new TimeCounter().read();
  }
}
