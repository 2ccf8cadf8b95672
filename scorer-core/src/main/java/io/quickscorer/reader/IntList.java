package io.quickscorer.reader;

import java.util.Arrays;

/** A growing list of ints; grows with what is added, never on a file's claim. */
final class IntList {
  private int[] values = new int[16];
  private int size;

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size++] = value;
  }

  int size() {
    return size;
  }

  int get(int index) {
    return values[index];
  }

  void set(int index, int value) {
    values[index] = value;
  }

  int removeLast() {
    return values[--size];
  }

  void clear() {
    size = 0;
  }

  int[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
