// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.ensemble.Tree;

/**
 * A tree divided into pieces of at most {@value #MAX_SPLITS} splits, and the heavy paths of each
 * piece.
 *
 * <p>A piece is a connected part of a tree; its exits are leaves and roots of other pieces. The
 * <i>heavy</i> child of a split has the larger Horton-Strahler number; the other one is
 * <i>light</i>. A step to the light child is a <i>light turn</i>. So a path has as few light turns
 * as possible: at most 6. A <i>heavy path</i> starts at the piece's root or at a light child, and
 * goes to the heavy child at each split. Its level is the number of light turns before it.
 *
 * <p>Source: Sleator, Tarjan, "A Data Structure for Dynamic Trees", JCSS 26(3), 1983, section 5
 * (heavy paths, where the heavy child is that with more nodes); Strahler, "Hypsometric Analysis of
 * Erosional Topography", 1952.
 */
final class TreePieces {
  /**
   * Maximum number of splits in a part of a tree (piece). At most 64 leaves or further pieces then
   * follow a piece.
   */
  static final int MAX_SPLITS = PathProgram.LANES - 1;

  final Tree tree;

  /**
   * For each split, the number of splits in its subtree that are in its own piece, itself included.
   */
  private final int[] size;

  /**
   * For each split, its Horton-Strahler number: the larger of the numbers of its two children, or
   * that number plus 1 if both are equal. A child has the number 0 if it is a leaf or in another
   * piece.
   */
  private final byte[] strahler;

  private final boolean[] root;
  private final int count;

  TreePieces(Tree tree) {
    this.tree = tree;
    int splits = tree.splits();
    size = new int[splits];
    strahler = new byte[splits];
    root = new boolean[splits];
    int pieces = 1;
    // In descending order, because children come after their parents.
    for (int split = splits - 1; split >= 0; split--) {
      int left = tree.left(split);
      int right = tree.right(split);
      while (1 + size(left) + size(right) > MAX_SPLITS) {
        root[size(left) > size(right) ? left : right] = true;
        pieces++;
      }
      size[split] = 1 + size(left) + size(right);
      int a = strahler(left);
      int b = strahler(right);
      strahler[split] = (byte) (a == b ? a + 1 : Math.max(a, b));
    }
    count = pieces;
  }

  /** Returns the number of parts (pieces) of the tree; 1 if the tree is a single leaf. */
  int count() {
    return count;
  }

  /** Returns whether a child is a split in the same part (piece) as its parent. */
  boolean inside(int child) {
    return child >= 0 && !root[child];
  }

  boolean lightIsLeft(int split) {
    return strahler(tree.left(split)) < strahler(tree.right(split));
  }

  /** Returns the number of parts (pieces) on the longest path from the root to a leaf. */
  int depth() {
    int[] above = new int[size.length];
    int max = 0;
    for (int split = 0; split < above.length; split++) {
      max = Math.max(max, above[split]);
      for (int side = 0; side < 2; side++) {
        int child = side == 0 ? tree.left(split) : tree.right(split);
        if (child >= 0) {
          above[child] = above[split] + (root[child] ? 1 : 0);
        }
      }
    }
    return max + 1;
  }

  private int size(int child) {
    return inside(child) ? size[child] : 0;
  }

  private int strahler(int child) {
    return inside(child) ? strahler[child] : 0;
  }
}
