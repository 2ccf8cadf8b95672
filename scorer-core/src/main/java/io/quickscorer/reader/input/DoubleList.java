// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import java.util.Arrays;

/**
 * A list of doubles. Its memory grows as elements are added; it does not allocate a size that a
 * file claims.
 */
public final class DoubleList {
  private double[] values = new double[16];
  private int size;

  public void add(double value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size++] = value;
  }

  public int size() {
    return size;
  }

  public void set(int index, double value) {
    values[index] = value;
  }

  public void clear() {
    size = 0;
  }

  public double[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
