// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

import io.quickscorer.ensemble.NodeStatistics;
import io.quickscorer.ensemble.Tree;

/**
 * One tree with the data that contributions need and that do not depend on the document.
 *
 * <p>An <i>edge</i> leads from a split to a child: {@code 1 + 2 * split} to the left one, {@code 2
 * + 2 * split} to the right one; edge 0 leads to the root. Splits are numbered in preorder, so an
 * edge comes after those above it.
 *
 * @param tree the tree
 * @param fractions per edge, the share of the training data that goes the same ways at the splits
 *     on the edge's feature, from the root to the edge: the product of those splits' cover ratios
 * @param previous per edge, the nearest edge above it of the same feature; 0 if there is none
 * @param above per split, the edge that leads to it
 * @param distinct maximum number of features tested on a path
 * @param expected mean of the leaves under the training data
 */
record TreePaths(
    Tree tree, double[] fractions, int[] previous, int[] above, int distinct, double expected) {
  /** Relative amount by which rounding may let a child's cover exceed its parent's. */
  private static final double TOLERANCE = 1e-3;

  int edges() {
    return fractions.length;
  }

  long bytes() {
    return edges() * (long) (Double.BYTES + Integer.BYTES) + above.length * (long) Integer.BYTES;
  }

  /** Returns the split that an edge other than 0 comes from. */
  static int split(int edge) {
    return (edge - 1) >> 1;
  }

  static boolean isLeft(int edge) {
    return (edge & 1) != 0;
  }

  /** Returns the child that an edge other than 0 leads to: a split's number, or {@code ~leaf}. */
  static int child(Tree tree, int edge) {
    return isLeft(edge) ? tree.left(split(edge)) : tree.right(split(edge));
  }

  /**
   * Analyses one tree.
   *
   * @param number the tree's, for messages
   * @param lastEdges an element per feature, all 0 on entry and on return
   * @throws UnexplainableException if a cover is absent or impossible
   */
  static TreePaths of(Tree tree, int number, int[] lastEdges) {
    int splits = tree.splits();
    if (splits == 0) {
      return new TreePaths(tree, new double[] {1}, new int[1], new int[0], 0, tree.leafValue(0));
    }
    double[] ratios = ratios(tree, number);
    double[] fractions = ratios.clone();
    double[] reached = ratios.clone();
    int[] above = new int[splits];
    PathWalk walk = new PathWalk(tree, above, lastEdges);
    int[] tested = new int[ratios.length];
    int distinct = 0;
    double expected = 0;
    for (int edge = 1; edge < ratios.length; edge++) {
      int split = split(edge);
      if (isLeft(edge)) {
        walk.enter(split);
      }
      int previous = walk.findPrevious(edge);
      fractions[edge] = ratios[edge] * fractions[previous];
      reached[edge] = ratios[edge] * reached[above[split]];
      tested[edge] = tested[above[split]] + (previous == 0 ? 1 : 0);
      distinct = Math.max(distinct, tested[edge]);
      int child = child(tree, edge);
      if (child < 0) {
        expected += reached[edge] * tree.leafValue(~child);
      } else {
        above[child] = edge;
      }
    }
    walk.leaveAll();
    return new TreePaths(tree, fractions, walk.previous, above, distinct, expected);
  }

  /** Returns per edge the child's cover over the parent's; 1 for edge 0. */
  private static double[] ratios(Tree tree, int number) {
    NodeStatistics statistics = tree.statistics();
    if (!statistics.hasCovers()) {
      throw new UnexplainableException(
          "tree "
              + number
              + ": the model's file has no covers, which contributions need;"
              + " LightGBM's and XGBoost's files may have them");
    }
    double[] ratios = new double[1 + 2 * tree.splits()];
    ratios[0] = 1;
    for (int edge = 1; edge < ratios.length; edge++) {
      int child = child(tree, edge);
      double parent = statistics.splitCover(split(edge));
      double cover = child < 0 ? statistics.leafCover(~child) : statistics.splitCover(child);
      if (!(parent > 0 && parent < Double.POSITIVE_INFINITY)) {
        throw failure(number, edge, "cover " + parent + ", expected a finite number above 0");
      }
      if (!(cover >= 0 && cover <= parent * (1 + TOLERANCE))) {
        throw failure(number, edge, "a child's cover is " + cover + ", expected 0.." + parent);
      }
      ratios[edge] = cover / parent;
    }
    return ratios;
  }

  private static UnexplainableException failure(int number, int edge, String what) {
    return new UnexplainableException("tree " + number + ", split " + split(edge) + ": " + what);
  }

  /** The path to the current split, and the last edge of each feature on it. */
  private static final class PathWalk {
    private final Tree tree;
    private final int[] above;
    private final int[] lastEdges;
    private final int[] path;
    private final int[] previous;
    private int length;

    PathWalk(Tree tree, int[] above, int[] lastEdges) {
      this.tree = tree;
      this.above = above;
      this.lastEdges = lastEdges;
      this.path = new int[tree.depth()];
      this.previous = new int[1 + 2 * tree.splits()];
    }

    /** Moves to the next split in preorder: up to where its path branches off, then down to it. */
    void enter(int split) {
      int edge = above[split];
      if (edge == 0) {
        return;
      }
      int upTo = above[split(edge)];
      while (length > 0 && path[length - 1] != upTo) {
        leave();
      }
      path[length++] = edge;
      lastEdges[tree.feature(split(edge))] = edge;
    }

    int findPrevious(int edge) {
      previous[edge] = lastEdges[tree.feature(split(edge))];
      return previous[edge];
    }

    void leaveAll() {
      while (length > 0) {
        leave();
      }
    }

    private void leave() {
      int edge = path[--length];
      lastEdges[tree.feature(split(edge))] = previous[edge];
    }
  }
}
