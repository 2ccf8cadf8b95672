// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.engine.columns.ObliviousLevels;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * An ensemble's nodes and leaf values, in the layout of the traversal kernels.
 *
 * <p>A tree takes {@link NodeLayout#treeBytes()} bytes: a pair of words whose first word is the
 * root, then for each split the pair of its children. Pairs without a leaf come first, and pairs
 * with two leaves last, so the leaf values of a tree are close together. The value of a leaf at
 * word w is {@code leaves[leafBase[tree] + w]}.
 *
 * <p>An oblivious tree has one word per level. Empty words before them give all trees of a group
 * the same number of words. In an oblivious tree, w is the index of the leaf.
 */
final class PackedTrees {
  private final NodeLayout layout;
  private final LeafSum sum;
  private final ByteBuffer nodes;
  private final ByteBuffer leafBase;
  private final ByteBuffer leaves;
  private final ByteBuffer steps;

  PackedTrees(
      TreeEnsemble ensemble,
      LeafSum sum,
      NodeLayout layout,
      SplitColumns columns,
      CompileProgress progress) {
    this.layout = layout;
    this.sum = sum;
    List<Tree> trees = ensemble.trees();
    this.nodes = SplitColumns.direct((long) trees.size() * layout.treeBytes());
    this.leafBase = SplitColumns.direct((long) trees.size() * Integer.BYTES);
    this.steps = steps(trees, layout.oblivious());
    long values = 0;
    for (Tree tree : trees) {
      values += leafWords(tree);
    }
    this.leaves = SplitColumns.direct(values * sum.valueBytes());
    int next = 0;
    for (int t = 0; t < trees.size(); t++) {
      progress.report(t, trees.size());
      Tree tree = trees.get(t);
      if (layout.oblivious()) {
        leafBase.putInt(t * Integer.BYTES, next);
        addLevels(tree, t, next, columns);
      } else {
        int base = next - skippedWords(tree);
        leafBase.putInt(t * Integer.BYTES, base);
        addTree(tree, t * layout.treeBytes(), base, columns);
      }
      next += leafWords(tree);
    }
  }

  /** Returns the number of elements of {@code leaves} that a tree needs, including unused ones. */
  private int leafWords(Tree tree) {
    return layout.oblivious() ? tree.leaves() : 2 * tree.leaves() - skippedWords(tree);
  }

  private static int leafChildren(Tree tree, int split) {
    return (tree.left(split) < 0 ? 1 : 0) + (tree.right(split) < 0 ? 1 : 0);
  }

  /**
   * Returns the number of words before a tree's first leaf, for which {@code leaves} has no
   * elements.
   */
  private static int skippedWords(Tree tree) {
    if (tree.splits() == 0) {
      return 0;
    }
    int pairs = 1;
    for (int split = 0; split < tree.splits(); split++) {
      pairs += leafChildren(tree, split) == 0 ? 1 : 0;
    }
    return 2 * pairs;
  }

  /**
   * Returns, for each split, the index of the pair of words that contains its two children. Pair 0
   * contains the root.
   */
  private static int[] pairs(Tree tree) {
    int[] pairs = new int[tree.splits()];
    int next = 1;
    for (int leafChildren = 0; leafChildren <= 2; leafChildren++) {
      for (int split = 0; split < pairs.length; split++) {
        if (leafChildren(tree, split) == leafChildren) {
          pairs[split] = next++;
        }
      }
    }
    return pairs;
  }

  private void addLevels(Tree tree, int number, int base, SplitColumns columns) {
    ObliviousLevels levels = Objects.requireNonNull(ObliviousLevels.of(tree));
    int taken = steps.getInt(number / WalkPlan.UNROLL * Integer.BYTES);
    int at = number * layout.treeBytes() + (taken - levels.splits().length) * Integer.BYTES;
    for (int split : levels.splits()) {
      int level = layout.level(columns.threshold(tree, split), columns.column(tree, split));
      nodes.putInt(at, level);
      at += Integer.BYTES;
    }
    for (int leaf = 0; leaf < levels.leaves().length; leaf++) {
      sum.put(leaves, base + leaf, tree.leafValue(levels.leaves()[leaf]));
    }
  }

  private void addTree(Tree tree, int at, int base, SplitColumns columns) {
    int[] pairs = pairs(tree);
    putChild(tree, tree.splits() == 0 ? ~0 : 0, at, 0, 0, base, pairs, columns);
    for (int split = 0; split < pairs.length; split++) {
      putChild(tree, tree.left(split), at, pairs[split], 0, base, pairs, columns);
      putChild(tree, tree.right(split), at, pairs[split], 1, base, pairs, columns);
    }
  }

  private void putChild(
      Tree tree,
      int child,
      int at,
      int pair,
      int side,
      int base,
      int[] pairs,
      SplitColumns columns) {
    int offset = pair * NodeLayout.PAIR_BYTES;
    int node;
    if (child < 0) {
      node = side == 0 ? layout.leftLeaf(offset) : layout.rightLeaf(offset);
      sum.put(leaves, base + 2 * pair + side, tree.leafValue(~child));
    } else {
      node =
          layout.split(
              columns.threshold(tree, child),
              columns.column(tree, child),
              pairs[child] * NodeLayout.PAIR_BYTES);
    }
    nodes.putInt(at + offset + side * Integer.BYTES, node);
  }

  ByteBuffer nodes() {
    return nodes;
  }

  ByteBuffer leafBase() {
    return leafBase;
  }

  ByteBuffer leaves() {
    return leaves;
  }

  /**
   * Returns, for each group of {@link WalkPlan#UNROLL} trees, the number of steps from the root to
   * the group's deepest leaf. For oblivious trees, the number is rounded up to an even number.
   */
  ByteBuffer steps() {
    return steps;
  }

  private static ByteBuffer steps(List<Tree> trees, boolean oblivious) {
    ByteBuffer steps =
        SplitColumns.direct(
            (trees.size() + WalkPlan.UNROLL - 1L) / WalkPlan.UNROLL * Integer.BYTES);
    for (int first = 0; first < trees.size(); first += WalkPlan.UNROLL) {
      int deepest = 0;
      for (int t = first; t < Math.min(first + WalkPlan.UNROLL, trees.size()); t++) {
        deepest = Math.max(deepest, trees.get(t).depth());
      }
      steps.putInt(oblivious ? (deepest + 1) / 2 * 2 : deepest);
    }
    return steps.flip();
  }

  /** Returns the mean of {@link #steps()} over the groups of trees; 0 if there are no trees. */
  double meanSteps() {
    return IntStream.range(0, steps.limit() / Integer.BYTES)
        .map(i -> steps.getInt(i * Integer.BYTES))
        .average()
        .orElse(0);
  }
}
