// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.lang.management.ManagementFactory;

/** What a scorer allocates in the steady state. */
public final class Allocations {
  private static final long WARMUP_NANOS = 60_000_000_000L;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocations() {}

  /**
   * Checks that a call allocates less than a byte per document. Calls until a call is clean: the
   * JIT compiles when it gets to it, on a busy machine late.
   */
  public static void check(EnsembleScorer scorer, int documents) {
    FeatureMatrix matrix =
        Values.documents(Seeds.random("allocation"), scorer.ensemble(), documents);
    Scratch scratch = scorer.newScratch();
    double[] scores = new double[documents];
    long start = System.nanoTime();
    long least = Long.MAX_VALUE;
    while (least >= documents && System.nanoTime() - start < WARMUP_NANOS) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      scorer.score(matrix, scratch, scores);
      scorer.score(matrix, scratch, scores);
      least = Math.min(least, (THREADS.getCurrentThreadAllocatedBytes() - before) / 2);
    }
    long found = least;
    assertTrue(
        found < documents,
        () -> scorer.algorithm() + ": " + found + " bytes per call of " + documents + " documents");
  }
}
