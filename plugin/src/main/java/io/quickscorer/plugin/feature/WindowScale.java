// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.util.Arrays;

/**
 * A function that scales a feature's value relative to the values of the other hits in the window.
 * Missing values do not affect other hits.
 */
public enum WindowScale {
  /** The rank: 1 for the highest value, 2 for the next; equal values have the same rank. */
  RANK {
    @Override
    double[] scaled(double[] values, double[] ascending) {
      double[] ranks = new double[values.length];
      for (int i = 0; i < ranks.length; i++) {
        ranks[i] = 1 + ascending.length - firstAbove(ascending, values[i]);
      }
      return ranks;
    }
  },
  /**
   * {@code (value - mean) / standard deviation}, with the mean and the deviation of the window's
   * values; 0 if all values are equal.
   */
  Z_SCORE {
    @Override
    double[] scaled(double[] values, double[] ascending) {
      // The sum is computed in ascending order, so that it does not depend on the order in which
      // shards answer.
      double mean = Arrays.stream(ascending).reduce(0, Double::sum) / ascending.length;
      double squares =
          Arrays.stream(ascending).reduce(0, (sum, v) -> sum + (v - mean) * (v - mean));
      double deviation = Math.sqrt(squares / ascending.length);
      return Arrays.stream(values).map(v -> deviation == 0 ? 0 : (v - mean) / deviation).toArray();
    }
  },
  /**
   * {@code (value - min) / (max - min)}, with the minimum and maximum of the window's values; 0 if
   * all values are equal.
   */
  MIN_MAX {
    @Override
    double[] scaled(double[] values, double[] ascending) {
      double min = ascending[0];
      double range = ascending[ascending.length - 1] - min;
      return Arrays.stream(values).map(v -> range == 0 ? 0 : (v - min) / range).toArray();
    }
  },
  /** The window's highest value minus the value of the hit. */
  GAP_TO_BEST {
    @Override
    double[] scaled(double[] values, double[] ascending) {
      double max = ascending[ascending.length - 1];
      return Arrays.stream(values).map(v -> max - v).toArray();
    }
  };

  /**
   * Returns the scaled values, in the order of {@code values}.
   *
   * @param values the window's values without missing ones, at least one
   * @param ascending the same values, sorted
   */
  abstract double[] scaled(double[] values, double[] ascending);

  /**
   * Scales a column in place, in double precision.
   *
   * @param from the index of the column's first value
   * @param count the number of hits in the window
   * @param missing replaces missing values, and results that are not finite
   */
  public void apply(float[] column, int from, int count, float missing) {
    double[] present = new double[count];
    int size = 0;
    for (int i = from; i < from + count; i++) {
      if (!Float.isNaN(column[i])) {
        present[size++] = column[i];
      }
    }
    double[] values = Arrays.copyOf(present, size);
    double[] ascending = values.clone();
    Arrays.sort(ascending);
    double[] scaled = size == 0 ? values : scaled(values, ascending);
    int next = 0;
    for (int i = from; i < from + count; i++) {
      float value = Float.isNaN(column[i]) ? Float.NaN : (float) scaled[next++];
      column[i] = Float.isFinite(value) ? value : missing;
    }
  }

  /**
   * Returns the number of elements in a sorted array that are not above a given value; 0 and -0 are
   * equal.
   */
  private static int firstAbove(double[] ascending, double value) {
    int low = 0;
    int high = ascending.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ascending[middle] > value) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
