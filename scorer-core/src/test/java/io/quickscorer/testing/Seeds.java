// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.util.SplittableRandom;

/**
 * The one seed of a test run: {@code -Dtests.seed=...} replays a run, {@code -Dtests.iters=...}
 * repeats each random test. The seed is printed once per JVM.
 */
public final class Seeds {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final int ITERATIONS = Integer.getInteger("tests.iters", 1);

  static {
    System.out.println("tests.seed=" + SEED + " (replay with -Dtests.seed=" + SEED + ")");
  }

  private Seeds() {}

  /** A generator that depends on the run's seed and on who asks, not on the order of tests. */
  public static SplittableRandom random(String who) {
    return new SplittableRandom(SEED * 31 + who.hashCode());
  }

  public static int iterations() {
    return ITERATIONS;
  }
}
