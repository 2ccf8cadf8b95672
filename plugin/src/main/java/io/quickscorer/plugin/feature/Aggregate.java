// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

/** One number for several. */
public enum Aggregate {
  MIN,
  MAX,
  /** In double precision, in the order in which the values come. */
  SUM,
  /** {@link #SUM} divided by the count. */
  AVG,
  /** How many there are: 0 where there are none, which is never missing. */
  COUNT;

  /** Returns the result for no values at all. */
  public double ofNone() {
    return this == COUNT ? 0 : Double.NaN;
  }

  /** Returns the initial value of {@link #add}. */
  public double start() {
    return switch (this) {
      case MIN -> Double.POSITIVE_INFINITY;
      case MAX -> Double.NEGATIVE_INFINITY;
      case SUM, AVG, COUNT -> 0;
    };
  }

  /** Adds one more value. */
  public double add(double sum, double value) {
    return switch (this) {
      case MIN -> Math.min(sum, value);
      case MAX -> Math.max(sum, value);
      case SUM, AVG -> sum + value;
      case COUNT -> sum + 1;
    };
  }

  /** Returns the result for {@code count} values, at least one. */
  public double finish(double sum, int count) {
    return this == AVG ? sum / count : sum;
  }
}
