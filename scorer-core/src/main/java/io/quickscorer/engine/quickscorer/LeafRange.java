// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.ensemble.Tree;

/** Leaves [first, end) under one child. */
record LeafRange(int first, int end) {
  public LeafRange {
    if (first < 0 || end <= first) {
      throw new IllegalArgumentException("leaf range [" + first + ", " + end + ")");
    }
  }

  /** Returns the leaves under the left child of each split of a tree. */
  public static LeafRange[] leftOf(Tree tree) {
    int[] first = new int[tree.splits()];
    int[] end = new int[tree.splits()];
    LeafRange[] ranges = new LeafRange[tree.splits()];
    // Splits are in preorder, so children are met before their parents.
    for (int split = tree.splits() - 1; split >= 0; split--) {
      int left = tree.left(split);
      int right = tree.right(split);
      first[split] = left < 0 ? ~left : first[left];
      end[split] = right < 0 ? ~right + 1 : end[right];
      ranges[split] = new LeafRange(first[split], left < 0 ? ~left + 1 : end[left]);
    }
    return ranges;
  }

  /** Returns the first word, of this many bits, that holds a leaf of this range. */
  int firstWord(int bits) {
    return first / bits;
  }

  /** Returns one more than the number of the range's last word. */
  int endWord(int bits) {
    return (end - 1) / bits + 1;
  }

  /**
   * Returns all ones except this range, in one word of at most 64 bits; its upper bits are ones.
   */
  long clearing(int word, int bits) {
    int from = Math.max(0, first - word * bits);
    int to = Math.min(bits, end - word * bits);
    return ~((-1L >>> (Long.SIZE - (to - from))) << from);
  }
}
