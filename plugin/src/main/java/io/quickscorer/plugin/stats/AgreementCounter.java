// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/**
 * Sums the agreement between the rankings of two models over many windows. Safe for use by several
 * threads.
 */
final class AgreementCounter {
  private final LongAdder windows = new LongAdder();
  private final LongAdder sameFirst = new LongAdder();
  private final LongAdder longWindows = new LongAdder();
  private final DoubleAdder overlap = new DoubleAdder();
  private final DoubleAdder correlation = new DoubleAdder();

  void add(Agreement agreement) {
    windows.increment();
    correlation.add(agreement.correlation());
    if (agreement.sameFirst()) {
      sameFirst.increment();
    }
    if (!Double.isNaN(agreement.overlap())) {
      longWindows.increment();
      overlap.add(agreement.overlap());
    }
  }

  ComparisonCounts.Agreeing read(ComparisonStats.Versions pair) {
    return new ComparisonCounts.Agreeing(
        pair.ranking(),
        pair.other(),
        pair.experiment(),
        windows.sum(),
        sameFirst.sum(),
        longWindows.sum(),
        overlap.sum(),
        correlation.sum());
  }
}
