// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import java.util.Arrays;

/**
 * A list of ints. Its memory grows as elements are added; it does not allocate a size that a file
 * claims.
 */
public final class IntList {
  private int[] values = new int[16];
  private int size;

  public void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size++] = value;
  }

  public int size() {
    return size;
  }

  public int get(int index) {
    return values[index];
  }

  public void set(int index, int value) {
    values[index] = value;
  }

  public int removeLast() {
    return values[--size];
  }

  public void clear() {
    size = 0;
  }

  public int[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
