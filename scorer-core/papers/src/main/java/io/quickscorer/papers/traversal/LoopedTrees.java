// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import java.util.List;

/**
 * Trees in which every walk takes the same number of steps: breadth-first nodes, the two children
 * of a split side by side, and leaves that lead to themselves. A step from node n is to {@code
 * left[n]} if {@code key <= bounds[n]}, else to {@code left[n] + 1}; a leaf has the greatest bound,
 * which no key exceeds, and is its own left child.
 *
 * @param roots per tree, its first node
 * @param depths per tree, steps after which every document is at its exit leaf
 * @param columns per node, the column it compares; see {@link OrderedColumns}
 * @param bounds per node, the greatest key that goes left
 * @param left per node, its left child
 * @param values per node, its value if it is a leaf
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
    // Until a node is laid out, left[] holds its number in the tree: the queue of nodes to come.
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
