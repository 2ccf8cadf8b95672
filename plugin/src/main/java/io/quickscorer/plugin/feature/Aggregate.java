// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

/** A function that combines several values of a document into one number. */
enum Aggregate {
  MIN,
  MAX,
  /** The sum of the values in double precision, added in the order of the {@link #add} calls. */
  SUM,
  /** The arithmetic mean: the sum of the values divided by their number. */
  AVG,
  /**
   * The number of values. It is 0 for a document without values, so it is never a missing value.
   */
  COUNT;

  /**
   * Returns the result for a document without values: 0 for {@link #COUNT}, otherwise NaN, which
   * means "missing".
   */
  public double ofNone() {
    return this == COUNT ? 0 : Double.NaN;
  }

  /**
   * Returns the first intermediate result for {@link #add}: 0 for a sum, negative infinity for a
   * maximum.
   */
  public double start() {
    return switch (this) {
      case MIN -> Double.POSITIVE_INFINITY;
      case MAX -> Double.NEGATIVE_INFINITY;
      case SUM, AVG, COUNT -> 0;
    };
  }

  /**
   * Combines one more value with the intermediate result, and returns the new intermediate result.
   *
   * @param sum the result of the previous call; for the first value, the result of {@link #start}
   * @param value the next value of the document
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
   * Converts the intermediate result to the final result: for {@link #AVG}, divides the sum by the
   * count.
   *
   * @param sum the result of the last {@link #add}
   * @param count the number of values, at least one
   */
  public double finish(double sum, int count) {
    return this == AVG ? sum / count : sum;
  }
}
