// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.ensemble.Tree;

/**
 * The order in which a tree's splits are processed, and the index of each node's <i>region</i>: the
 * bitmap of the documents that reach the node.
 *
 * <p>The <i>inner</i> splits come first, breadth-first, then the <i>cherries</i> (splits with two
 * leaves). The children of the inner split at position q have the regions 2q + 2 (left) and 2q + 3
 * (right).
 */
final class TreeLayout {
  final Tree tree;

  /** All splits in processing order: {@link #inner} inner splits, then those with two leaves. */
  final int[] order;

  /** Number of inner splits: splits of which at least one child is a split. */
  final int inner;

  /** For each split, the index of the bitmap (region) of the documents that reach it. */
  final int[] region;

  /** For each split, its parent split, or -1 for the root. */
  final int[] parent;

  /** For each leaf, its parent split, or -1 if the tree is a single leaf. */
  final int[] leafParent;

  /** For each split, the number of leaves in its subtree. */
  final int[] size;

  TreeLayout(Tree tree) {
    this.tree = tree;
    int splits = tree.splits();
    order = new int[splits];
    region = new int[splits];
    parent = new int[splits];
    leafParent = new int[tree.leaves()];
    size = new int[splits];
    int[] cherries = new int[splits];
    int innerCount = 0;
    int cherryCount = 0;
    if (splits > 0) {
      region[0] = BitProgram.ALL;
      parent[0] = -1;
      if (isCherry(0)) {
        cherries[cherryCount++] = 0;
      } else {
        order[innerCount++] = 0;
      }
    } else {
      leafParent[0] = -1;
    }
    for (int q = 0; q < innerCount; q++) {
      int split = order[q];
      for (int side = 0; side < 2; side++) {
        int child = side == 0 ? tree.left(split) : tree.right(split);
        if (child >= 0) {
          region[child] = 2 * q + 2 + side;
          parent[child] = split;
          if (isCherry(child)) {
            cherries[cherryCount++] = child;
          } else {
            order[innerCount++] = child;
          }
        } else {
          leafParent[~child] = split;
        }
      }
    }
    inner = innerCount;
    System.arraycopy(cherries, 0, order, inner, cherryCount);
    for (int i = 0; i < cherryCount; i++) {
      leafParent[~tree.left(cherries[i])] = cherries[i];
      leafParent[~tree.right(cherries[i])] = cherries[i];
    }
    for (int q = splits - 1; q >= 0; q--) {
      size[order[q]] = leaves(tree.left(order[q])) + leaves(tree.right(order[q]));
    }
  }

  /** Returns whether both children of a split are leaves. */
  boolean isCherry(int split) {
    return tree.left(split) < 0 && tree.right(split) < 0;
  }

  /**
   * Returns the number of leaves below a split; 1 if {@code child} is a leaf, given as {@code
   * ~leaf}.
   */
  int leaves(int child) {
    return child < 0 ? 1 : size[child];
  }

  /**
   * Returns the number of bitmaps for the tree: two for each split that has a split as a child, one
   * with all documents and one with none.
   */
  int regions() {
    return 2 * inner + 2;
  }
}
