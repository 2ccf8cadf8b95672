// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import org.opensearch.test.OpenSearchTestCase;

public class TimeCountersTests extends OpenSearchTestCase {
  public void testClassesDouble() {
    assertEquals(0, TimeCounters.Histogram.bucketOf(-1));
    assertEquals(0, TimeCounters.Histogram.bucketOf(999));
    assertEquals(1, TimeCounters.Histogram.bucketOf(1_000));
    assertEquals(1, TimeCounters.Histogram.bucketOf(1_999));
    assertEquals(2, TimeCounters.Histogram.bucketOf(2_000));
    assertEquals(10, TimeCounters.Histogram.bucketOf(1_000_000));
    assertEquals(23, TimeCounters.Histogram.bucketOf(Long.MAX_VALUE));
  }

  public void testSharesAreBelowTheirClassesEnd() {
    TimeCounters.Histogram histogram = new TimeCounters.Histogram();
    for (int i = 0; i < 98; i++) {
      histogram.add(3_000);
    }
    histogram.add(50_000);
    histogram.add(900_000);
    TimeCounters.Histogram.Reading reading = histogram.read();
    assertEquals(100, reading.count());
    assertEquals(4_000, reading.nanos(0.5));
    assertEquals(4_000, reading.nanos(0.98));
    assertEquals(64_000, reading.nanos(0.99));
    assertEquals(1_024_000, reading.nanos(1));
  }
}
