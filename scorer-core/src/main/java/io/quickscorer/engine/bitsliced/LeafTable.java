// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/**
 * The leaf values of all trees, indexed by leaf code (a number that identifies a leaf in its tree).
 *
 * <p>With codes of K bits, a tree has 2^K entries, but at least 32 (two 512-bit vectors of ints).
 * Entries without a leaf are 0; only the padding after a block's last document selects them.
 *
 * @param values the leaf values of all trees. Not a copy
 * @param firstOfGroup for each group of trees, the index in {@code values} of its first leaf value
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LeafTable(double[] values, int[] firstOfGroup) {
  /**
   * Returns the number of bits of an index into the leaf values of one tree; at least 5.
   *
   * @param codeBits the number of bits of a leaf code
   */
  public static int indexBits(int codeBits) {
    return Math.max(5, codeBits);
  }

  /** Returns whether floats represent all leaf values exactly. */
  public boolean allFloats() {
    for (double value : values) {
      if ((float) value != value) {
        return false;
      }
    }
    return true;
  }
}
