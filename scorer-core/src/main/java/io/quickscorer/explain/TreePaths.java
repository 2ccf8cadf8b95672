// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

import io.quickscorer.ensemble.NodeStatistics;
import io.quickscorer.ensemble.Tree;

/**
 * A tree, with precomputed data for the contributions of its features.
 *
 * <p>An <i>edge</i> leads from a split to a child: edge {@code 1 + 2 * split} to the left child,
 * edge {@code 2 + 2 * split} to the right child; edge 0 leads to the root. An edge has a larger
 * number than the edges above it. A <i>cover</i> is the amount of training data that reached a
 * node. The cover ratio of an edge is its child's cover divided by the split's cover.
 *
 * @param tree the tree
 * @param fractions for each edge, the product of cover ratios: its own, and those of all edges
 *     above it whose splits test the same feature
 * @param previous for each edge, the nearest edge above whose split tests the same feature; 0 if
 *     there is none
 * @param above for each split, the edge that leads to the split
 * @param distinct the maximum number of distinct features that a path tests
 * @param expected the mean of the leaf values over the training data
 */
record TreePaths(
    Tree tree, double[] fractions, int[] previous, int[] above, int distinct, double expected) {
  /**
   * Fraction by which a child's cover (amount of training data) may exceed its parent's because of
   * rounding.
   */
  private static final double TOLERANCE = 1e-3;

  int edges() {
    return fractions.length;
  }

  long bytes() {
    return edges() * (long) (Double.BYTES + Integer.BYTES) + above.length * (long) Integer.BYTES;
  }

  /** Returns the number of the split at which an edge starts. The edge must not be 0. */
  static int split(int edge) {
    return (edge - 1) >> 1;
  }

  static boolean isLeft(int edge) {
    return (edge & 1) != 0;
  }

  /** Returns the child to which an edge other than 0 leads: a split, or {@code ~leaf}. */
  static int child(Tree tree, int edge) {
    return isLeft(edge) ? tree.left(split(edge)) : tree.right(split(edge));
  }

  /**
   * Returns a tree with the precomputed data for explanations.
   *
   * @param number the number of the tree, for messages
   * @param lastEdges working memory with one element per feature; all 0 before and after the call
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

  /**
   * Returns the cover ratio of each edge: the child's cover (training data) divided by the
   * parent's; 1 for edge 0.
   */
  private static double[] ratios(Tree tree, int number) {
    NodeStatistics statistics = tree.statistics();
    if (!statistics.hasCovers()) {
      throw new UnexplainableException(
          "tree "
              + number
              + ": contributions need the cover (amount of training data) of each node, but the"
              + " model's file does not contain it; files of LightGBM and XGBoost may contain it");
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

  /** The path from the root to the current split, with each feature's last edge on the path. */
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

    /** Moves to {@code split}, which must be the next split in preorder. */
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
