// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * A function that scales a feature's value for a hit relative to its values for the other hits that
 * the model ranks. Hits without a value are ignored.
 */
enum WindowScale {
  /** The rank: 1 plus the number of hits with a higher value. */
  RANK,
  /**
   * {@code (value - mean) / standard deviation}, with the mean and the standard deviation of all
   * hits' values; 0 if all values are equal.
   */
  Z_SCORE,
  /**
   * {@code (value - min) / (max - min)}, with the minimum and maximum of all hits' values; 0 if all
   * values are equal.
   */
  MIN_MAX,
  /** The highest value of all hits minus the hit's value. */
  GAP_TO_BEST;

  /**
   * Returns the function that scales one value.
   *
   * @param ascending the values of all hits that have a value, sorted; at least one element
   */
  private DoubleUnaryOperator scaling(double[] ascending) {
    int count = ascending.length;
    double min = ascending[0];
    double max = ascending[count - 1];
    double range = max - min;
    return switch (this) {
      // No element equals the next double after a float, so the search returns -1 minus the number
      // of
      // elements that are not higher than v. No element is higher than the maximum, even if it is
      // infinite.
      case RANK -> v -> v == max ? 1 : 2 + count + Arrays.binarySearch(ascending, Math.nextUp(v));
      case Z_SCORE -> {
        // The sum is computed in ascending order, so that it does not depend on the order in which
        // shards answer.
        double mean = Arrays.stream(ascending).reduce(0, Double::sum) / count;
        double squares =
            Arrays.stream(ascending).reduce(0, (sum, v) -> sum + (v - mean) * (v - mean));
        double deviation = Math.sqrt(squares / count);
        yield v -> deviation == 0 ? 0 : (v - mean) / deviation;
      }
      case MIN_MAX -> v -> range == 0 ? 0 : (v - min) / range;
      case GAP_TO_BEST -> v -> max - v;
    };
  }

  /**
   * Scales the feature's values of {@code count} hits, in place, in double precision.
   *
   * @param column the array with the values
   * @param from the array index of the first hit's value
   * @param missing replaces missing values, and results that are not finite
   */
  void apply(float[] column, int from, int count, float missing) {
    double[] ascending = new double[count];
    int size = 0;
    for (int i = from; i < from + count; i++) {
      if (!Float.isNaN(column[i])) {
        ascending[size++] = column[i];
      }
    }
    ascending = Arrays.copyOf(ascending, size);
    Arrays.sort(ascending);
    DoubleUnaryOperator scaling = size == 0 ? v -> v : scaling(ascending);
    for (int i = from; i < from + count; i++) {
      float value = Float.isNaN(column[i]) ? Float.NaN : (float) scaling.applyAsDouble(column[i]);
      column[i] = Float.isFinite(value) ? value : missing;
    }
  }
}
