// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.columns;

/**
 * A search tree over ascending pivots, for searches without branches. A search finds a key's rank:
 * the number of pivots less than the key. Each comparison "key > pivot" gives one bit, from the
 * highest bit down. After l comparisons with the bits p, the next pivot is entry {@code 2^l + p}:
 *
 * <pre>
 *   ranks 0..7, 7 pivots:      [1] pivot 3
 *                       [2] pivot 1     [3] pivot 5
 *                   [4] 0    [5] 2    [6] 4    [7] 6
 * </pre>
 *
 * <p>Entries after the last pivot are the largest int, which no key exceeds.
 */
public final class SearchTree {
  /** Minimum length of a tree's array, so that a 512-bit vector of ints can be read from it. */
  static final int MIN_LENGTH = 16;

  private SearchTree() {}

  /** Returns the length of a tree's array for ranks of {@code bits} bits. */
  public static int length(int bits) {
    return Math.max(1 << bits, MIN_LENGTH);
  }

  /**
   * Writes a search tree to an array.
   *
   * @param pivots the distinct thresholds, ascending
   * @param bits the number of bits of a rank, enough for the number of pivots
   * @param at the index in {@code tree} of the first of the {@link #length} entries
   */
  public static void write(int[] pivots, int bits, int[] tree, int at) {
    for (int level = 0; level < bits; level++) {
      for (int prefix = 0; prefix < 1 << level; prefix++) {
        int pivot = (2 * prefix + 1 << bits - level - 1) - 1;
        tree[at + (1 << level) + prefix] =
            pivot < pivots.length ? pivots[pivot] : Integer.MAX_VALUE;
      }
    }
  }
}
