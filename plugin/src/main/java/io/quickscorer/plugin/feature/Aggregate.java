// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

/** A function that combines several values of a document into one number. */
enum Aggregate {
  MIN,
  MAX,
  /** The sum of the values in double precision, in their order. */
  SUM,
  /** The arithmetic mean: {@link #SUM} divided by the count. */
  AVG,
  /** The number of values; a count is never missing. */
  COUNT;

  /**
   * Returns the result without values: 0 for {@link #COUNT}, otherwise NaN, which means missing.
   */
  public double ofNone() {
    return this == COUNT ? 0 : Double.NaN;
  }

  /** Returns the initial sum, which is the first argument of {@link #add}. */
  public double start() {
    return switch (this) {
      case MIN -> Double.POSITIVE_INFINITY;
      case MAX -> Double.NEGATIVE_INFINITY;
      case SUM, AVG, COUNT -> 0;
    };
  }

  /**
   * Returns the intermediate result after adding one more value.
   *
   * @param sum the result of the previous call, or of {@link #start}
   */
  public double add(double sum, double value) {
    return switch (this) {
      case MIN -> Math.min(sum, value);
      case MAX -> Math.max(sum, value);
      case SUM, AVG -> sum + value;
      case COUNT -> sum + 1;
    };
  }

  /**
   * Returns the final result of combining {@code count} values, at least one.
   *
   * @param sum the result of the last {@link #add}
   */
  public double finish(double sum, int count) {
    return this == AVG ? sum / count : sum;
  }
}
