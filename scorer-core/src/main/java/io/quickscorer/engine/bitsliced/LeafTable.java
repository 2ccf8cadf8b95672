// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/**
 * The leaf values of all trees by leaf code.
 *
 * <p>A tree of a group with K-bit codes has 2^K entries, at least 32, which two 512-bit vectors of
 * ints hold; the trees of a group follow one another. Codes no leaf has are 0: documents outside of
 * the batch may hit them.
 */
final class LeafTable {
  private final double[] values;
  private final int[] firstOfGroup;

  LeafTable(double[] values, int[] firstOfGroup) {
    this.values = values;
    this.firstOfGroup = firstOfGroup;
  }

  /** Returns the bits of the index into one tree's table, for a number of code bits. */
  public static int indexBits(int codeBits) {
    return Math.max(5, codeBits);
  }

  /** Returns all values. Not a copy. */
  public double[] values() {
    return values;
  }

  /** Returns the index of the first entry of a group's first tree. */
  public int first(int group) {
    return firstOfGroup[group];
  }

  /** Returns whether every value is a float. */
  public boolean allFloats() {
    for (double value : values) {
      if ((float) value != value) {
        return false;
      }
    }
    return true;
  }
}
