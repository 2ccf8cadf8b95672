// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.columns;

import io.quickscorer.ensemble.Tree;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The levels of an oblivious tree. In such a tree, all splits of a level are equal, and all leaves
 * have the same depth.
 *
 * @param splits one split of each level, from the root down
 * @param leaves the leaf for each combination of the levels' results; the index has one bit per
 *     level, 1 for right, and the root's bit is the highest
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ObliviousLevels(int[] splits, int[] leaves) {
  /**
   * Returns the levels of a tree; null if two splits of a level differ or leaves differ in depth.
   */
  public static @Nullable ObliviousLevels of(Tree tree) {
    int[] splits = new int[tree.depth()];
    int[] nodes = {tree.splits() == 0 ? ~0 : 0};
    for (int level = 0; level < splits.length; level++) {
      int[] children = new int[2 * nodes.length];
      for (int i = 0; i < nodes.length; i++) {
        if (nodes[i] < 0 || !same(tree, nodes[0], nodes[i])) {
          return null;
        }
        children[2 * i] = tree.left(nodes[i]);
        children[2 * i + 1] = tree.right(nodes[i]);
      }
      splits[level] = nodes[0];
      nodes = children;
    }
    return new ObliviousLevels(splits, Arrays.stream(nodes).map(node -> ~node).toArray());
  }

  private static boolean same(Tree tree, int a, int b) {
    return tree.feature(a) == tree.feature(b)
        && tree.missing(a) == tree.missing(b)
        && Objects.equals(tree.categories(a), tree.categories(b))
        && (tree.categories(a) != null
            || FloatOrder.key(tree.threshold(a)) == FloatOrder.key(tree.threshold(b)));
  }
}
