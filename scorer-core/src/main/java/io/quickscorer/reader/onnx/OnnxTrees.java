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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes trees of an {@link OnnxForest}: every mode becomes "left when value {@code <=} threshold".
 *
 * <p>NaN makes every comparison false but {@code !=}, unless the split sends it where its
 * comparison were true. {@code x == v} becomes two splits, {@code x <= v} and, to the left of it,
 * {@code x <= } the float below v; what follows when it is false then stands twice, and where it
 * asks the same feature again, as exporters write sets of categories, the answer is known on one
 * side. What has several parents stands once below each.
 */
final class OnnxTrees {
  /** Nodes that may come of unfolding: some for all, and some per node of the file. */
  private static final int FREE_NODES = 1 << 14;

  private static final int UNFOLDED_PER_NODE = 4;

  /** A child of the file that becomes a node, and what is known there of some features. */
  private record Open(int child, int node, @Nullable Known known) {}

  /** What equalities above say of a feature: {@code above < x <= upTo}, or NaN where possible. */
  private record Known(int feature, float above, float upTo, boolean nan, @Nullable Known more) {
    static final Known NOTHING =
        new Known(-1, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, true, null);

    static Known of(int feature, @Nullable Known first) {
      for (Known known = first; known != null; known = known.more) {
        if (known.feature == feature) {
          return known;
        }
      }
      return NOTHING;
    }

    /** Whether a value may be equal to v; infinite bounds are taken as possible. */
    boolean allows(float v) {
      return (v > above || above == Float.NEGATIVE_INFINITY) && v <= upTo;
    }
  }

  private final OnnxForest forest;
  private final EnsembleLimits limits;
  private final TreeBuilder builder;
  private final int size;
  private long budget;

  /** The last tree of which a split was entered, and left, by {@link #checkEnds}. */
  private final int[] entered;

  private final int[] done;

  // The tree under construction, by its own node numbers; a leaf has no left child.
  private final IntList feature = new IntList();
  private final IntList threshold = new IntList();
  private final IntList left = new IntList();
  private final IntList right = new IntList();
  private final IntList rule = new IntList();
  private final Deque<Open> open = new ArrayDeque<>();
  private int nodes;

  private OnnxTrees(OnnxForest forest, int features, EnsembleLimits limits) {
    this.forest = forest;
    this.limits = limits;
    this.builder = new TreeBuilder(limits, features, false);
    int splits = forest.features().length;
    this.size = splits + forest.leaves().length;
    this.entered = new int[splits];
    this.done = new int[splits];
    Arrays.fill(entered, -1);
    Arrays.fill(done, -1);
    this.budget = FREE_NODES + (long) UNFOLDED_PER_NODE * splits;
  }

  static List<Tree> build(OnnxForest forest, int features, EnsembleLimits limits) {
    OnnxTrees trees = new OnnxTrees(forest, features, limits);
    List<Tree> built = new ArrayList<>();
    for (int root : forest.roots()) {
      trees.checkEnds(built.size(), root);
      built.add(trees.build(built.size(), root));
    }
    return built;
  }

  /**
   * No split may come below itself, or unfolding would not end. It may come below several others:
   * so exporters write what follows a set of categories once, with an equality for each member.
   */
  private void checkEnds(int tree, int root) {
    IntList stack = new IntList();
    stack.add(root);
    while (stack.size() > 0) {
      int split = stack.get(stack.size() - 1);
      if (split < 0 || done[split] == tree) {
        stack.removeLast();
        continue;
      }
      if (entered[split] == tree) {
        done[split] = tree;
        stack.removeLast();
        continue;
      }
      entered[split] = tree;
      for (int child : new int[] {forest.whenFalse()[split], forest.whenTrue()[split]}) {
        if (child >= 0 && entered[child] == tree && done[child] != tree) {
          throw new InvalidModelException(
              "tree " + tree + ", split " + child + ": it comes below itself");
        }
        stack.add(child);
      }
    }
  }

  private Tree build(int tree, int root) {
    nodes = 0;
    for (IntList list : List.of(feature, threshold, left, right, rule)) {
      list.clear();
    }
    open.add(new Open(root, newNode(), null));
    while (!open.isEmpty()) {
      Open next = open.removeLast();
      if (next.child < 0) {
        left.set(next.node, next.child);
      } else {
        unfold(next);
      }
      budget -= nodes > size ? 1 : 0;
      if (budget < 0) {
        throw new InvalidModelException(
            "tree " + tree + ": its equalities and shared nodes unfold to too many nodes");
      }
      limits.check("tree " + tree + ": leaves", (nodes + 1L) / 2, Limit.LEAVES);
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
    MissingValue missing = MissingValue.of(rule.get(node) != 0, false);
    if (Float.isNaN(bound)) {
      builder.split(
          node, feature.get(node), CategorySet.EMPTY, missing, leftChild, right.get(node));
    } else {
      builder.split(node, feature.get(node), bound, missing, leftChild, right.get(node));
    }
  }

  private int newNode() {
    for (IntList list : List.of(feature, threshold, left, right, rule)) {
      list.add(0);
    }
    return nodes++;
  }

  private void unfold(Open at) {
    int split = at.child;
    int whenTrue = forest.whenTrue()[split];
    int whenFalse = forest.whenFalse()[split];
    boolean missingTrue = forest.missingTrue()[split];
    double value = forest.values()[split];
    if (Double.isNaN(value)) {
      throw new InvalidModelException("node " + split + ": it compares with NaN");
    }
    switch (forest.modes()[split]) {
      case OnnxForest.LEQ ->
          split(at, Thresholds.lessOrEqual(value), whenTrue, whenFalse, missingTrue);
      case OnnxForest.LT -> split(at, Thresholds.lessThan(value), whenTrue, whenFalse, missingTrue);
      case OnnxForest.GTE ->
          split(at, Thresholds.lessThan(value), whenFalse, whenTrue, !missingTrue);
      case OnnxForest.GT ->
          split(at, Thresholds.lessOrEqual(value), whenFalse, whenTrue, !missingTrue);
      case OnnxForest.EQ -> equal(at, value, whenTrue, whenFalse, missingTrue);
      // NaN is unequal to everything, whether or not it is sent there.
      default -> equal(at, value, whenFalse, whenTrue, false);
    }
  }

  private void split(Open at, float bound, int leftChild, int rightChild, boolean missingLeft) {
    int node = at.node;
    open.add(new Open(rightChild, newNode(), at.known));
    right.set(node, nodes - 1);
    open.add(new Open(leftChild, newNode(), at.known));
    declared(node, forest.features()[at.child], bound, nodes - 1, missingLeft);
  }

  private void declared(int node, int ofFeature, float bound, int leftChild, boolean missingLeft) {
    feature.set(node, ofFeature);
    threshold.set(node, Float.floatToIntBits(bound));
    left.set(node, leftChild);
    rule.set(node, missingLeft ? 1 : 0);
  }

  private void equal(Open at, double value, int equal, int other, boolean missingEqual) {
    int ofFeature = forest.features()[at.child];
    Known known = Known.of(ofFeature, at.known);
    float v = (float) value + 0f;
    boolean possible = v == value && known.allows(v);
    if (!possible && !(known.nan && missingEqual)) {
      open.add(new Open(other, at.node, at.known));
      return;
    }
    if (!possible) {
      // All numbers are up to infinity: only missing values go right.
      Known present = new Known(ofFeature, known.above, known.upTo, false, at.known);
      open.add(new Open(equal, newNode(), at.known));
      right.set(at.node, nodes - 1);
      open.add(new Open(other, newNode(), present));
      declared(at.node, ofFeature, Float.POSITIVE_INFINITY, nodes - 1, false);
      return;
    }
    boolean nanBeyond = known.nan && !missingEqual;
    Known beyond = new Known(ofFeature, v, known.upTo, nanBeyond, at.known);
    int outer = at.node;
    open.add(new Open(other, newNode(), beyond));
    right.set(outer, nodes - 1);
    float below = Math.nextDown(v);
    int inner = newNode();
    declared(outer, ofFeature, v, inner, missingEqual);
    open.add(new Open(equal, newNode(), at.known));
    right.set(inner, nodes - 1);
    Known upToBelow = new Known(ofFeature, known.above, below, false, at.known);
    open.add(new Open(other, newNode(), upToBelow));
    declared(inner, ofFeature, below, nodes - 1, false);
  }
}
