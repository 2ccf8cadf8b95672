package io.quickscorer.reader;

import java.util.Arrays;

/** A growing list of doubles; grows with what is added, never on a file's claim. */
final class DoubleList {
  private double[] values = new double[16];
  private int size;

  void add(double value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size++] = value;
  }

  int size() {
    return size;
  }

  void set(int index, double value) {
    values[index] = value;
  }

  void clear() {
    size = 0;
  }

  double[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
