// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.util.Arrays;

/**
 * The scale of a feature's value relative to the values of the window's other hits. Values that are
 * missing stay missing, and count for no other hit.
 */
public enum WindowScale {
  /** 1 for the highest value, 2 for the next; hits of one value have the same rank. */
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
  /** {@code (value - mean) / standard deviation} of the window, 0 where all values are one. */
  Z_SCORE {
    @Override
    double[] scaled(double[] values, double[] ascending) {
      // Added up from the least: the order in which shards answer must not show.
      double mean = Arrays.stream(ascending).reduce(0, Double::sum) / ascending.length;
      double squares =
          Arrays.stream(ascending).reduce(0, (sum, v) -> sum + (v - mean) * (v - mean));
      double deviation = Math.sqrt(squares / ascending.length);
      return Arrays.stream(values).map(v -> deviation == 0 ? 0 : (v - mean) / deviation).toArray();
    }
  },
  /** {@code (value - min) / (max - min)} of the window, 0 where all values are one. */
  MIN_MAX {
    @Override
    double[] scaled(double[] values, double[] ascending) {
      double min = ascending[0];
      double range = ascending[ascending.length - 1] - min;
      return Arrays.stream(values).map(v -> range == 0 ? 0 : (v - min) / range).toArray();
    }
  },
  /** How much less it is than the window's highest value. */
  GAP_TO_BEST {
    @Override
    double[] scaled(double[] values, double[] ascending) {
      double max = ascending[ascending.length - 1];
      return Arrays.stream(values).map(v -> max - v).toArray();
    }
  };

  /**
   * @param values none is missing
   * @param ascending the same, sorted; at least one
   */
  abstract double[] scaled(double[] values, double[] ascending);

  /**
   * Scales a column, in double precision.
   *
   * @param from index of the column's first value
   * @param count how many hits the window has
   * @param missing replaces values that are missing, and results that are not finite
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

  /** Returns how many values are not above this one; 0 and -0 are one value. */
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
