// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.columns;

/**
 * Ascending pivots as a search tree without branches. With b bits of rank, entry {@code 2^l + p} is
 * the pivot to compare with after l comparisons, p being their outcomes so far as a binary number;
 * the outcome "key > pivot" is the rank's next bit, from the highest down:
 *
 * <pre>
 *   ranks 0..7, 7 pivots:      [1] pivot 3
 *                       [2] pivot 1     [3] pivot 5
 *                   [4] 0    [5] 2    [6] 4    [7] 6
 * </pre>
 *
 * <p>Places past the last pivot hold the largest int, which no key exceeds.
 */
public final class SearchTree {
  /** Least length of a tree, so that a 512-bit vector can be read from it. */
  static final int MIN_LENGTH = 16;

  private SearchTree() {}

  /** Returns the entries of a tree that finds ranks of this many bits. */
  public static int length(int bits) {
    return Math.max(1 << bits, MIN_LENGTH);
  }

  /**
   * Writes a tree.
   *
   * @param bits of the ranks it finds, enough for as many as there are pivots
   * @param at where its {@link #length} entries start
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
