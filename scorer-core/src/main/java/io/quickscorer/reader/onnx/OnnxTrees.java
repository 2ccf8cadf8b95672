// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Thresholds;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.reader.input.IntList;
import io.quickscorer.reader.onnx.OnnxForest.Split;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates trees from an {@link OnnxForest}. Splits of all modes (kinds of comparisons) become
 * splits that send a value left if {@code value <= threshold}.
 *
 * <p>For NaN, every comparison except {@code !=} is false, unless the split treats NaN as if its
 * comparison were true. {@code x == v} becomes two splits: {@code x <= v} and, as its left child,
 * {@code x <= } the next smaller float. If x is not v, both splits lead to the same subtree, so
 * each of them gets a copy. The copies omit equality tests of this feature whose result is already
 * known. A node with several parents is copied for each parent.
 */
final class OnnxTrees {
  /**
   * Number of nodes that the trees of every file may have, however small it is. These nodes need
   * about 30 MB. Trees can need more nodes than the file has, because each category of a set
   * becomes nodes.
   */
  private static final int FREE_NODES = 1 << 21;

  /** Number of tree nodes that each node in the file adds to the limit {@link #FREE_NODES}. */
  private static final int NODES_PER_ROW = 6;

  /**
   * Number of visits of splits that are allowed for a file of any size. The limit of nodes does not
   * limit the visits, because a visited split whose result is known creates no node.
   */
  private static final int FREE_STEPS = 1 << 26;

  /** Number of visits that each node in the file adds to the limit {@link #FREE_STEPS}. */
  private static final int STEPS_PER_ROW = 1 << 10;

  /** Bit in {@link #rule} that is set if the node's threshold is a category. */
  private static final int CATEGORICAL = 2;

  /** The value that {@link #unfold} returns if it created nodes for the split. */
  private static final int PLACED = Integer.MIN_VALUE;

  /**
   * A node that is still to be created for the tree, and its source in the file.
   *
   * @param child the number of a split in the file, or {@code ~leaf}
   * @param node the number of the node to create
   * @param known the ranges of features that the tests above the node have determined
   */
  private record Open(int child, int node, @Nullable Known known) {}

  /**
   * The range of a feature's value that the equality tests above a node have determined: {@code
   * above < x <= upTo}, or NaN if {@code nan} is true. {@code more} lists the ranges of other
   * features.
   */
  private record Known(int feature, float above, float upTo, boolean nan, @Nullable Known more) {
    static final Known NOTHING =
        new Known(-1, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, true, null);

    /** Returns whether the range contains v. An infinite bound is part of the range. */
    boolean allows(float v) {
      return (v > above || above == Float.NEGATIVE_INFINITY) && v <= upTo;
    }

    /** Returns whether the range contains v and no other number. */
    boolean isJust(float v) {
      return above != Float.NEGATIVE_INFINITY && above == Math.nextDown(v) && upTo == v;
    }

    boolean hasNoNumber() {
      return above > upTo;
    }
  }

  private final OnnxForest forest;
  private final EnsembleLimits limits;
  private final TreeBuilder builder;
  private long nodesLeft;
  private long stepsLeft;

  /** For each split, whether {@link #checkEnds} has started to visit it. */
  private final boolean[] entered;

  /** For each split, whether {@link #checkEnds} has visited all its descendants. */
  private final boolean[] done;

  // The tree that is being built, in arrays that are indexed by its new node numbers. For a leaf,
  // the left child is ~leaf.
  private final IntList feature = new IntList();
  private final IntList threshold = new IntList();
  private final IntList left = new IntList();
  private final IntList right = new IntList();
  private final IntList rule = new IntList();
  private final List<IntList> columns = List.of(feature, threshold, left, right, rule);
  private final Deque<Open> open = new ArrayDeque<>();
  private int tree;
  private int nodes;

  private OnnxTrees(OnnxForest forest, int features, EnsembleLimits limits) {
    this.forest = forest;
    this.limits = limits;
    this.builder = new TreeBuilder(limits, features, false);
    int rows = forest.splits().size();
    this.entered = new boolean[rows];
    this.done = new boolean[rows];
    this.nodesLeft = FREE_NODES + (long) NODES_PER_ROW * rows;
    this.stepsLeft = FREE_STEPS + (long) STEPS_PER_ROW * rows;
  }

  static List<Tree> build(OnnxForest forest, int features, EnsembleLimits limits) {
    OnnxTrees trees = new OnnxTrees(forest, features, limits);
    List<Tree> built = new ArrayList<>();
    for (int root : forest.roots()) {
      trees.tree = built.size();
      trees.checkEnds(root);
      built.add(trees.build(root));
    }
    return built;
  }

  /**
   * Checks that no split is below itself, because the copying of nodes would then never end. A
   * split may have several parents: for a set of categories, exporters write one equality test per
   * member, and all these tests lead to the same subtree.
   */
  private void checkEnds(int root) {
    IntList stack = new IntList();
    stack.add(root);
    while (stack.size() > 0) {
      int split = stack.get(stack.size() - 1);
      if (split < 0 || done[split]) {
        stack.removeLast();
        continue;
      }
      if (entered[split]) {
        done[split] = true;
        stack.removeLast();
        continue;
      }
      entered[split] = true;
      checkSet(split);
      Split at = forest.splits().get(split);
      for (int child : new int[] {at.whenFalse(), at.whenTrue()}) {
        if (child >= 0 && entered[child] && !done[child]) {
          throw new InvalidModelException(
              "tree " + tree + ", split " + child + ": the split is its own descendant");
        }
        stack.add(child);
      }
    }
  }

  private void checkSet(int split) {
    if (forest.mixesMissing(split)) {
      throw new InvalidModelException(
          "tree "
              + tree
              + ", split "
              + forest.splits().get(split).whenFalse()
              + ": nodes_missing_value_tracks_true differs from its value in split "
              + split
              + ", which tests the same feature and has the same child; export the model with"
              + " equal values");
    }
  }

  private Tree build(int root) {
    nodes = 0;
    columns.forEach(IntList::clear);
    String leaves = "tree " + tree + ": leaves";
    open.add(new Open(root, newNode(), null));
    while (!open.isEmpty()) {
      Open next = open.removeLast();
      int child = next.child;
      while (child >= 0) {
        step();
        child = unfold(child, next);
      }
      if (child != PLACED) {
        left.set(next.node, child);
      }
      limits.check(leaves, (nodes + 1L) / 2, Limit.LEAVES);
    }
    builder.start(tree, nodes);
    for (int node = 0; node < nodes; node++) {
      declare(node);
    }
    return builder.build(0);
  }

  private void declare(int node) {
    int leftChild = left.get(node);
    if (leftChild < 0) {
      builder.leaf(node, forest.leaves()[~leftChild]);
      return;
    }
    float bound = Float.intBitsToFloat(threshold.get(node));
    MissingValue missing = MissingValue.of((rule.get(node) & 1) != 0, false);
    if ((rule.get(node) & CATEGORICAL) != 0) {
      CategorySet set =
          CategorySet.of(new int[] {threshold.get(node)}, CategorySet.Rounding.TOWARD_ZERO);
      builder.split(node, feature.get(node), set, missing, leftChild, right.get(node));
    } else if (Float.isNaN(bound)) {
      builder.split(
          node, feature.get(node), CategorySet.EMPTY, missing, leftChild, right.get(node));
    } else {
      builder.split(node, feature.get(node), bound, missing, leftChild, right.get(node));
    }
  }

  private void step() {
    if (--stepsLeft < 0) {
      throw new InvalidModelException(
          "tree "
              + tree
              + ": nodes with several parents and nodes of mode BRANCH_EQ must be copied, which"
              + " takes too many steps; export the model without such nodes");
    }
  }

  private int newNode() {
    if (--nodesLeft < 0) {
      throw new InvalidModelException(
          "tree "
              + tree
              + ": nodes with several parents and nodes of mode BRANCH_EQ must be copied, which"
              + " creates too many nodes; export the model without such nodes");
    }
    for (IntList column : columns) {
      column.add(0);
    }
    return nodes++;
  }

  /**
   * Creates the nodes for a split in the file, or none if the split's result is already known.
   *
   * @param number the number of the split
   * @param at the node to create for the split
   * @return {@link #PLACED} if nodes were created; otherwise the child for the known result
   */
  private int unfold(int number, Open at) {
    Split split = forest.splits().get(number);
    double value = split.value();
    if (Double.isNaN(value)) {
      throw new InvalidModelException(
          "node " + number + ": the node compares with NaN, expected a number");
    }
    switch (split.mode()) {
      case OnnxForest.LEQ -> split(split, at, Thresholds.lessOrEqual(value), true);
      case OnnxForest.LT -> split(split, at, Thresholds.lessThan(value), true);
      case OnnxForest.GTE -> split(split, at, Thresholds.lessThan(value), false);
      case OnnxForest.GT -> split(split, at, Thresholds.lessOrEqual(value), false);
      case OnnxForest.CATEGORY -> {
        split(split, at, 0, true);
        threshold.set(at.node, (int) value);
        rule.set(at.node, rule.get(at.node) | CATEGORICAL);
      }
      case OnnxForest.EQ -> {
        return equal(split, at, split.whenTrue(), split.whenFalse(), split.missingTrue());
      }
      default -> {
        // NaN is unequal to every number, regardless of the split's rule for missing values.
        return equal(split, at, split.whenFalse(), split.whenTrue(), false);
      }
    }
    return PLACED;
  }

  private void split(Split split, Open at, float bound, boolean trueIsLeft) {
    int node = at.node;
    open.add(new Open(split.child(!trueIsLeft), newNode(), at.known));
    right.set(node, nodes - 1);
    open.add(new Open(split.child(trueIsLeft), newNode(), at.known));
    declared(node, split.feature(), bound, nodes - 1, split.missingTrue() == trueIsLeft);
  }

  private void declared(int node, int ofFeature, float bound, int leftChild, boolean missingLeft) {
    feature.set(node, ofFeature);
    threshold.set(node, Float.floatToIntBits(bound));
    left.set(node, leftChild);
    rule.set(node, missingLeft ? 1 : 0);
  }

  private Known known(int ofFeature, @Nullable Known first) {
    for (Known known = first; known != null; known = known.more) {
      step();
      if (known.feature == ofFeature) {
        return known;
      }
    }
    return Known.NOTHING;
  }

  private int equal(Split split, Open at, int equal, int other, boolean missingEqual) {
    int ofFeature = split.feature();
    Known known = known(ofFeature, at.known);
    float v = (float) split.value() + 0f;
    float below = Math.nextDown(v);
    boolean possible = v == split.value() && known.allows(v);
    if (!possible && !(known.nan && missingEqual)) {
      return other;
    }
    boolean certain =
        possible ? known.isJust(v) && (missingEqual || !known.nan) : known.hasNoNumber();
    if (certain) {
      return equal;
    }
    if (!possible) {
      // Every number is at most infinity, so only missing values go right.
      Known present = new Known(ofFeature, known.above, known.upTo, false, at.known);
      Known absent =
          new Known(ofFeature, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, true, at.known);
      open.add(new Open(equal, newNode(), absent));
      right.set(at.node, nodes - 1);
      open.add(new Open(other, newNode(), present));
      declared(at.node, ofFeature, Float.POSITIVE_INFINITY, nodes - 1, false);
      return PLACED;
    }
    boolean nanBeyond = known.nan && !missingEqual;
    Known beyond = new Known(ofFeature, v, known.upTo, nanBeyond, at.known);
    int outer = at.node;
    open.add(new Open(other, newNode(), beyond));
    right.set(outer, nodes - 1);
    int inner = newNode();
    declared(outer, ofFeature, v, inner, missingEqual);
    Known same = new Known(ofFeature, below, v, known.nan && missingEqual, at.known);
    open.add(new Open(equal, newNode(), same));
    right.set(inner, nodes - 1);
    Known upToBelow = new Known(ofFeature, known.above, below, false, at.known);
    open.add(new Open(other, newNode(), upToBelow));
    // No float is less than minus infinity, so NaN is used, with which no value goes left.
    declared(inner, ofFeature, v == below ? Float.NaN : below, nodes - 1, false);
    return PLACED;
  }
}
