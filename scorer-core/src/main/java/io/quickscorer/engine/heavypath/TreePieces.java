// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.ensemble.Tree;

/**
 * A tree cut into pieces of at most {@value #MAX_SPLITS} splits, and the heavy paths of each piece.
 *
 * <p>A piece is a connected part of a tree; its exits are leaves and roots of other pieces. Of the
 * two children of a split, the <i>heavy</i> one is that with the greater Horton-Strahler number, so
 * that the ways to the exits take as few <i>light</i> turns as the shape of the piece allows: 6 at
 * most, and 6 only in a full binary tree. From a root or a light child, going on heavy alone, one
 * follows a <i>heavy path</i>; its level is the number of light turns that lead to it.
 *
 * <p>Source: Sleator, Tarjan, "A Data Structure for Dynamic Trees", JCSS 26(3), 1983, section 5
 * (heavy paths, there by size); Strahler, "Hypsometric Analysis of Erosional Topography", 1952.
 */
final class TreePieces {
  /**
   * Maximum number of splits of a piece: one less than the bits of a word, because the piece has
   * one more exit.
   */
  static final int MAX_SPLITS = PathProgram.LANES - 1;

  final Tree tree;

  /** By split: splits of its piece from there on down. */
  private final int[] size;

  /** By split: 0 for an exit, k + 1 where two children of k meet, else the greater child's. */
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
    // Children come after their parents.
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

  /**
   * Returns the number of pieces of the tree, at least 1: a single leaf is a piece without splits.
   */
  int count() {
    return count;
  }

  /** Returns whether a child belongs to the piece of its parent. */
  boolean inside(int child) {
    return child >= 0 && !root[child];
  }

  boolean lightIsLeft(int split) {
    return strahler(tree.left(split)) < strahler(tree.right(split));
  }

  /** Returns the number of pieces on the longest path from the root to a leaf. */
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
