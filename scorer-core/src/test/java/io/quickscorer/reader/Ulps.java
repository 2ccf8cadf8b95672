// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.Accumulator;

/** Distances between scores in units in the last place; 0 only for equal bits. */
public final class Ulps {
  private Ulps() {}

  /** As {@link Accumulator#ulps}, but both zeros differ, as their bits do. */
  public static long between(Accumulator accumulator, double a, double b) {
    long ulps = accumulator.ulps(a, b);
    boolean otherSign = !Double.isNaN(a) && Math.copySign(1, a) != Math.copySign(1, b);
    return ulps == 0 && otherSign ? 1 : ulps;
  }
}
