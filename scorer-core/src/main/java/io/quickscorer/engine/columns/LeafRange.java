// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.columns;

import io.quickscorer.ensemble.Tree;

/**
 * The leaves of a subtree: their numbers are {@code first}, inclusive, to {@code end}, exclusive.
 */
public record LeafRange(int first, int end) {
  /** Returns, for each split of a tree, the leaves below its left child. */
  public static LeafRange[] leftOf(Tree tree) {
    int[] first = new int[tree.splits()];
    int[] end = new int[tree.splits()];
    LeafRange[] ranges = new LeafRange[tree.splits()];
    // In descending order, because splits are in preorder: children come before their parents.
    for (int split = tree.splits() - 1; split >= 0; split--) {
      int left = tree.left(split);
      int right = tree.right(split);
      first[split] = left < 0 ? ~left : first[left];
      end[split] = right < 0 ? ~right + 1 : end[right];
      ranges[split] = new LeafRange(first[split], left < 0 ? ~left + 1 : end[left]);
    }
    return ranges;
  }

  /**
   * Returns the index of the first word, of {@code bits} leaves each, that contains a leaf of this
   * range.
   */
  public int firstWord(int bits) {
    return first / bits;
  }

  /**
   * Returns the index plus 1 of the last word, of {@code bits} leaves each, that contains a leaf of
   * this range.
   */
  public int endWord(int bits) {
    return (end - 1) / bits + 1;
  }

  /**
   * Returns the mask for one word of a bitvector: 0 bits for the leaves of this range, otherwise 1.
   *
   * @param word the index of the word
   * @param bits the number of leaves per word
   */
  public long clearing(int word, int bits) {
    int from = Math.max(0, first - word * bits);
    int to = Math.min(bits, end - word * bits);
    return ~((-1L >>> (Long.SIZE - (to - from))) << from);
  }
}
