// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.ensemble.Tree;

/**
 * The order in which a tree's splits are processed, and the regions of its nodes.
 *
 * <p>{@link #order} lists the inner splits breadth-first, then the cherries (splits with two
 * leaves), so that a child always comes after its parent. The inner split at position q writes
 * regions 2q + 2 (left child) and 2q + 3 (right child).
 */
final class TreeLayout {
  final Tree tree;

  /** Splits by position: {@link #inner} ones, then the cherries. */
  final int[] order;

  /** Splits that are no cherries. */
  final int inner;

  /** By split: the region of the documents that reach it. */
  final int[] region;

  /** By split: its parent, or -1 for the root. */
  final int[] parent;

  /** By leaf: its parent, or -1 if the tree is a single leaf. */
  final int[] leafParent;

  /** By split: leaves below it. */
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
    int known = 0;
    int found = 0;
    if (splits > 0) {
      region[0] = BitProgram.ALL;
      parent[0] = -1;
      if (isCherry(0)) {
        cherries[found++] = 0;
      } else {
        order[known++] = 0;
      }
    } else {
      leafParent[0] = -1;
    }
    for (int q = 0; q < known; q++) {
      int split = order[q];
      for (int side = 0; side < 2; side++) {
        int child = side == 0 ? tree.left(split) : tree.right(split);
        if (child >= 0) {
          region[child] = 2 * q + 2 + side;
          parent[child] = split;
          if (isCherry(child)) {
            cherries[found++] = child;
          } else {
            order[known++] = child;
          }
        } else {
          leafParent[~child] = split;
        }
      }
    }
    inner = known;
    System.arraycopy(cherries, 0, order, inner, found);
    for (int i = 0; i < found; i++) {
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

  /** Returns the number of leaves below a child: a split's number or {@code ~leaf}. */
  int leaves(int child) {
    return child < 0 ? 1 : size[child];
  }

  /** Regions of the tree, the two common ones included. */
  int regions() {
    return 2 * inner + 2;
  }
}
