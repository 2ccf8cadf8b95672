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
 * A tree of LightGBM before 2.0.5: a categorical split holds one category, and a split replaces
 * every x with {@code -1e-20f < x <= 1e-20f} by its own default value; a missing value counts as 0,
 * hence as the default value too. Source: {@code Tree::GetLeaf} and the C interface of tag v2.0.4.
 *
 * <p>If the default value goes another way than 0 would, two ranges go left. Such a split becomes
 * tests of the value's {@link Range}, and each range gets a copy of the subtree it leads to. In the
 * copies the range is known, so that no split on the feature tests it again. A budget bounds the
 * copies.
 */
final class LightGbmOldTree {
  /** {@code kMissingValueRange}. */
  private static final float ZERO = 1e-20f;

  /** Upper bound of steps, far more than trees take whose features recur on a path. */
  private static final int MAX_STEPS = 1 << 26;

  /**
   * Ranges of a value: at most {@code -ZERO}; up to {@code ZERO}, or missing; above {@code ZERO}.
   */
  private enum Range {
    BELOW,
    ZERO,
    ABOVE
  }

  /** The bounds of a feature on the way to a node, the last first. */
  private record Known(int feature, Range range, @Nullable Known before) {}

  /**
   * The file's splits; a negative child is the complement of a leaf.
   *
   * @param categorical splits whose threshold is a category
   * @param defaults the value that replaces zero at each split
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

    /** Returns whether the default value goes another way than 0. */
    private boolean movesZero(int split) {
      return goesLeft(split, defaults[split]) != goesLeft(split, 0);
    }
  }

  /** A node of the tree to be built: a split of the file or, if negative, a leaf. */
  private static final class Node {
    private final int source;
    private final @Nullable Known known;

    /**
     * Whether the node tests if the value is above zero, after another node has tested if it is
     * below zero.
     */
    private final boolean asksAbove;

    /**
     * Whether the node tests the value's range, in one of two ways that the previous field selects.
     */
    private boolean asksRange;

    private int left;
    private int right;

    Node(int source, @Nullable Known known, boolean asksAbove) {
      this.source = source;
      this.known = known;
      this.asksAbove = asksAbove;
    }
  }

  private final Splits splits;
  private final double[] leafValues;
  private final int maxNodes;

  /** Number of entries visited in searches for known ranges. */
  private int steps;

  private final List<Node> nodes = new ArrayList<>();

  /**
   * @param leafValues one more than splits
   * @param maxNodes maximum number of nodes with all copies
   */
  LightGbmOldTree(Splits splits, double[] leafValues, int maxNodes) {
    this.splits = splits;
    this.leafValues = leafValues;
    this.maxNodes = maxNodes;
  }

  /**
   * Builds the tree, without covers, which are unknown for the parts.
   *
   * @param categories the set of one category, by the number of a split
   */
  Tree build(TreeBuilder builder, int number, IntFunction<CategorySet> categories) {
    checkChildren(number);
    add(number, 0, null);
    // Each node adds its children after itself.
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
   * Checks the file's own tree, because copies would hide its errors. The trainer numbers nodes
   * from the root.
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
                  + (node <= split ? ", expected one after its parent" : " already has a parent"));
        }
        seen.set(node);
      }
    }
  }

  /** Adds the first node, starting at one of the file, that the known ranges do not decide. */
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
              + ": default_value and threshold send zeros to different children at so many splits"
              + " that the tree would take more than "
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
            "default_value and threshold send zeros to different children at too many nested"
                + " splits");
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
    node.asksRange =
        node.asksAbove || splits.movesZero(split) && range(node.known, feature) == null;
    if (node.asksAbove) {
      node.left = add(number, split, new Known(feature, Range.ZERO, node.known));
      node.right = add(number, split, new Known(feature, Range.ABOVE, node.known));
    } else if (node.asksRange) {
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
    if (node.asksRange) {
      float bound = node.asksAbove ? ZERO : -ZERO;
      MissingValue rule = MissingValue.of(node.asksAbove, false);
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
   * Returns the bound that decides {@code zeroed(x) <= threshold}, where zeroed replaces values
   * near zero by 0.
   */
  private static float bound(double threshold) {
    float bound = Thresholds.lessOrEqual(threshold);
    return 0 <= threshold ? Math.max(bound, ZERO) : Math.min(bound, -ZERO);
  }
}
