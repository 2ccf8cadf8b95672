// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Thresholds;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A tree of LightGBM before 2.0.5. A categorical split tests one category. Each split has a default
 * value, which replaces every x with {@code -1e-20f < x <= 1e-20f}; a missing value counts as 0, so
 * the default value replaces it too. Source: {@code Tree::GetLeaf} and the C interface of tag
 * v2.0.4.
 *
 * <p>If the default value goes to another child than 0 would, one child gets two separate ranges of
 * values. This class then replaces the split by tests of the value's {@link Range}, with a copy of
 * the subtree for each range. In a copy, the range is known, so that no further split on the
 * feature tests it again. The number of copied nodes is limited.
 */
final class LightGbmOldTree {
  /**
   * LightGBM's {@code kMissingValueRange}: the default value of a split replaces x if {@code -ZERO
   * < x <= ZERO}.
   */
  private static final float ZERO = 1e-20f;

  /** Maximum of {@link #steps} (visited ranges), far above the number that real trees need. */
  private static final int MAX_STEPS = 1 << 26;

  /**
   * The ranges of a feature value: below, around and above zero. A default value replaces values
   * around zero.
   */
  private enum Range {
    /** The values {@code x <= -1e-20f}. */
    BELOW,
    /** The values {@code -1e-20f < x <= 1e-20f}, and missing values. */
    ZERO,
    /** The values {@code x > 1e-20f}. */
    ABOVE
  }

  /**
   * The range of a feature's value that the tests above a node have determined. The objects form a
   * linked list.
   *
   * @param before the range of another feature; null at the end of the list
   */
  private record Known(int feature, Range range, @Nullable Known before) {}

  /**
   * The splits of a tree in the file. A negative child is {@code ~leaf}.
   *
   * @param features the feature of each split
   * @param thresholds the threshold of each split; for a categorical split, its category
   * @param categorical the categorical splits
   * @param defaults the value that replaces zero at each split
   * @param left the left child of each split
   * @param right the right child of each split
   */
  record Splits(
      int[] features,
      double[] thresholds,
      BitSet categorical,
      double[] defaults,
      int[] left,
      int[] right) {
    private int count() {
      return features.length;
    }

    private int child(int split, boolean goesLeft) {
      return goesLeft ? left[split] : right[split];
    }

    private boolean goesLeft(int split, double value) {
      return categorical.get(split)
          ? (int) value == (int) thresholds[split]
          : value <= thresholds[split];
    }

    /** Returns whether the default value of a split and the value 0 go to different children. */
    private boolean movesZero(int split) {
      return goesLeft(split, defaults[split]) != goesLeft(split, 0);
    }
  }

  /**
   * A node of the tree that is being built. It comes from a node in the file: the number of a
   * split, or {@code ~leaf}.
   */
  private static final class Node {
    private final int source;
    private final @Nullable Known known;

    /**
     * True if the only test of the node is whether the value is above zero ({@link Range#ABOVE}).
     * Its parent then tests whether the value is below zero ({@link Range#BELOW}).
     */
    private final boolean testsAbove;

    /**
     * Whether the node tests the {@link Range} of the value, in place of the split's own test. It
     * tests whether the value is above zero if {@link #testsAbove} is true, otherwise whether it is
     * below zero.
     */
    private boolean testsRange;

    private int left;
    private int right;

    Node(int source, @Nullable Known known, boolean testsAbove) {
      this.source = source;
      this.known = known;
      this.testsAbove = testsAbove;
    }
  }

  private final Splits splits;
  private final double[] leafValues;
  private final int maxNodes;

  /** Number of {@link Known} objects that all searches for a feature's range have visited. */
  private int steps;

  private final List<Node> nodes = new ArrayList<>();

  /**
   * Prepares the conversion of a tree.
   *
   * @param splits the splits of the file
   * @param leafValues the value of each leaf; there is one leaf more than splits
   * @param maxNodes the maximum number of nodes, copies included
   */
  LightGbmOldTree(Splits splits, double[] leafValues, int maxNodes) {
    this.splits = splits;
    this.leafValues = leafValues;
    this.maxNodes = maxNodes;
  }

  /**
   * Returns the tree, without covers (amounts of training data), which are unknown for copied
   * nodes.
   *
   * @param categories returns, for the number of a categorical split, the set with the only
   *     category that the split tests
   */
  Tree build(TreeBuilder builder, int number, IntFunction<CategorySet> categories) {
    checkChildren(number);
    add(number, 0, null);
    // Children are added at the end of the list, so the loop visits them too.
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).source >= 0) {
        addChildren(number, nodes.get(i));
      }
    }
    builder.start(number, nodes.size());
    for (int i = 0; i < nodes.size(); i++) {
      declare(builder, i, nodes.get(i), categories);
    }
    return builder.build(0);
  }

  int size() {
    return nodes.size();
  }

  /**
   * Checks the tree in the file before nodes are copied, because copies would hide errors. In a
   * valid file, a child has a larger number than its parent.
   */
  private void checkChildren(int number) {
    BitSet seen = new BitSet();
    for (int split = 0; split < splits.count(); split++) {
      for (int child : new int[] {splits.left[split], splits.right[split]}) {
        int node = child >= 0 ? child : splits.count() + ~child;
        if (node <= split || seen.get(node)) {
          throw new InvalidModelException(
              "tree "
                  + number
                  + ", node "
                  + split
                  + ": child "
                  + child
                  + (node <= split
                      ? ", expected a child after its parent"
                      : " already has a parent"));
        }
        seen.set(node);
      }
    }
  }

  /**
   * Adds a node of the file to the tree and returns its index. If the known ranges determine the
   * result of a split, adds the child for this result in place of the split.
   *
   * @param known the ranges of features that the tests above the node have determined; null if
   *     there are none
   */
  private int add(int number, int source, @Nullable Known known) {
    int at = source;
    while (at >= 0) {
      Range range = range(known, splits.features[at]);
      if (range == null || !decides(at, range)) {
        break;
      }
      at = splits.child(at, range == Range.ZERO ? zeroGoesLeft(at) : range == Range.BELOW);
    }
    return append(number, new Node(at, known, false));
  }

  private int append(int number, Node node) {
    if (nodes.size() == maxNodes) {
      throw new InvalidModelException(
          "tree "
              + number
              + ": some splits send the value 0 to one child and default_value to the other;"
              + " the reader copies nodes for these splits, and the tree would get more than "
              + maxNodes
              + " nodes");
    }
    nodes.add(node);
    return nodes.size() - 1;
  }

  private @Nullable Range range(@Nullable Known known, int feature) {
    Known at = known;
    while (at != null && at.feature != feature) {
      at = at.before;
      if (++steps > MAX_STEPS) {
        throw new InvalidModelException(
            "a tree has too many nested splits that send the value 0 to one child and default_value"
                + " to the other; such trees are not supported");
      }
    }
    return at == null ? null : at.range;
  }

  private boolean decides(int split, Range range) {
    return range == Range.ZERO
        || !splits.categorical.get(split)
            && (range == Range.BELOW
                ? Thresholds.lessOrEqual(splits.thresholds[split]) >= -ZERO
                : Thresholds.lessOrEqual(splits.thresholds[split]) <= ZERO);
  }

  private boolean zeroGoesLeft(int split) {
    return splits.goesLeft(split, splits.defaults[split]);
  }

  private void addChildren(int number, Node node) {
    int split = node.source;
    int feature = splits.features[split];
    node.testsRange =
        node.testsAbove || splits.movesZero(split) && range(node.known, feature) == null;
    if (node.testsAbove) {
      node.left = add(number, split, new Known(feature, Range.ZERO, node.known));
      node.right = add(number, split, new Known(feature, Range.ABOVE, node.known));
    } else if (node.testsRange) {
      node.left = add(number, split, new Known(feature, Range.BELOW, node.known));
      node.right = append(number, new Node(split, node.known, true));
    } else {
      node.left = add(number, splits.left[split], node.known);
      node.right = add(number, splits.right[split], node.known);
    }
  }

  private void declare(
      TreeBuilder builder, int index, Node node, IntFunction<CategorySet> categories) {
    int split = node.source;
    if (split < 0) {
      builder.leaf(index, leafValues[~split]);
      return;
    }
    int feature = splits.features[split];
    if (node.testsRange) {
      float bound = node.testsAbove ? ZERO : -ZERO;
      MissingValue rule = MissingValue.of(node.testsAbove, false);
      builder.split(index, feature, bound, rule, node.left, node.right);
    } else if (splits.categorical.get(split)) {
      MissingValue rule = MissingValue.of(zeroGoesLeft(split), false);
      builder.split(index, feature, categories.apply(split), rule, node.left, node.right);
    } else {
      MissingValue rule = MissingValue.of(zeroGoesLeft(split), false);
      builder.split(index, feature, bound(splits.thresholds[split]), rule, node.left, node.right);
    }
  }

  /**
   * Returns the bound that is equivalent to {@code zeroed(x) <= threshold}, where {@code zeroed}
   * replaces values near zero by 0.
   */
  private static float bound(double threshold) {
    float bound = Thresholds.lessOrEqual(threshold);
    return 0 <= threshold ? Math.max(bound, ZERO) : Math.min(bound, -ZERO);
  }
}
