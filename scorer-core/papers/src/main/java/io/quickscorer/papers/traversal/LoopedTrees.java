// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import java.util.List;

/**
 * Trees that every document follows with the same number of steps, because a leaf leads to itself.
 * The nodes are in breadth-first order, and the children of a split are neighbours. A step leads
 * from node n to {@code left[n]} if {@code key <= bounds[n]}, otherwise to {@code left[n] + 1}. A
 * leaf has the maximum bound, and is its own left child.
 *
 * @param roots for each tree, the index of its root
 * @param depths for each tree, the number of steps to its deepest leaf
 * @param columns for each node, its column in {@link OrderedColumns}
 * @param bounds for each node, the largest key that goes left
 * @param left for each node, the index of its left child
 * @param values for each node that is a leaf, its value
 */
record LoopedTrees(
    int[] roots, int[] depths, int[] columns, int[] bounds, int[] left, double[] values) {

  static LoopedTrees of(
      TreeEnsemble ensemble, OrderedColumns.Assignment columns, CompileProgress progress) {
    List<Tree> trees = ensemble.trees();
    int nodes = Math.toIntExact(ensemble.shape().splits() + ensemble.shape().leaves());
    LoopedTrees looped =
        new LoopedTrees(
            new int[trees.size()],
            new int[trees.size()],
            new int[nodes],
            new int[nodes],
            new int[nodes],
            new double[nodes]);
    int first = 0;
    for (int t = 0; t < trees.size(); t++) {
      progress.report(t, trees.size());
      looped.put(t, trees.get(t), columns, first);
      first += trees.get(t).splits() + trees.get(t).leaves();
    }
    return looped;
  }

  private void put(int t, Tree tree, OrderedColumns.Assignment ordered, int first) {
    roots[t] = first;
    depths[t] = tree.depth();
    // Until a node is processed, left[] contains its number in the tree, so the array is the queue.
    left[first] = tree.splits() == 0 ? ~0 : 0;
    int end = first + 1;
    for (int at = first; at < end; at++) {
      int node = left[at];
      if (node < 0) {
        bounds[at] = Integer.MAX_VALUE;
        left[at] = at;
        values[at] = tree.leafValue(~node);
      } else {
        columns[at] = ordered.column(tree, node);
        bounds[at] = OrderedColumns.bound(tree, node);
        left[at] = end;
        left[end++] = tree.left(node);
        left[end++] = tree.right(node);
      }
    }
  }

  long bytes() {
    return 8L * roots.length + 20L * left.length;
  }
}
