// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import io.quickscorer.ensemble.EnsembleLimits.Limit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the structure of trees and builds them; no other code creates trees.
 *
 * <p>A reader declares the nodes by their numbers in the file, in any order, and then calls {@link
 * #build}. The methods throw {@link InvalidModelException}, with the tree and the node in the
 * message, in these cases: a child is out of range, shared or cyclic; a node is not declared or
 * declared twice; a feature is out of range; a threshold is NaN; a leaf value is not finite; the
 * tree exceeds the {@link EnsembleLimits}; or the root does not lead to a node, unless the format
 * keeps deleted nodes. Covers and gains are optional and not checked.
 *
 * <p>Not safe for use by several threads. One instance builds any number of trees, one after the
 * other.
 */
public final class TreeBuilder {
  private static final byte UNDECLARED = 0;
  private static final byte SPLIT = 1;
  private static final byte LEAF = 2;

  private final EnsembleLimits limits;
  private final int featureCount;
  private final boolean deletedNodes;

  private int tree;
  private byte[] kinds = new byte[0];
  private int[] features = new int[0];
  private float[] thresholds = new float[0];
  private @Nullable CategorySet[] categories = new CategorySet[0];
  private MissingValue[] missing = new MissingValue[0];
  private int[] left = new int[0];
  private int[] right = new int[0];
  private double[] values = new double[0];
  private double[] covers = new double[0];
  private float[] gains = new float[0];
  private final Map<Integer, Function> functions = new HashMap<>();

  // Buffers of build(), which the next tree reuses: the new number of each node, its depth, the
  // nodes that are still to be visited, and the visited nodes in preorder.
  private int[] number = new int[0];
  private int[] depth = new int[0];
  private int[] stack = new int[0];
  private int[] preorder = new int[0];
  private boolean[] seen = new boolean[0];

  private int nodes;
  private long allNodes;
  private long terms;

  /**
   * Creates a builder for the trees of a model.
   *
   * @param featureCount the number of the model's features; the feature of a split must be below it
   * @param deletedNodes whether nodes that cannot be reached from the root are allowed, as in
   *     XGBoost's pruned trees
   */
  public TreeBuilder(EnsembleLimits limits, int featureCount, boolean deletedNodes) {
    limits.check("features", featureCount, Limit.FEATURES);
    this.limits = limits;
    this.featureCount = featureCount;
    this.deletedNodes = deletedNodes;
  }

  /**
   * Starts the next tree, without any nodes.
   *
   * @param tree the number of the tree, for messages
   * @param nodeCount the number of splits and leaves; the numbers of nodes are below it
   */
  public TreeBuilder start(int tree, int nodeCount) {
    this.tree = tree;
    limits.check("trees", tree + 1L, Limit.TREES);
    if (nodeCount < 1) {
      throw new InvalidModelException(
          "tree " + tree + ": " + nodeCount + " nodes, expected 1 or more");
    }
    if (!deletedNodes) {
      limits.check("tree " + tree + ": leaves", (nodeCount + 1L) / 2, Limit.LEAVES);
    }
    allNodes += nodeCount;
    limits.check("nodes of all trees", allNodes, Limit.NODES);
    if (kinds.length < nodeCount) {
      kinds = new byte[nodeCount];
      features = new int[nodeCount];
      thresholds = new float[nodeCount];
      categories = new CategorySet[nodeCount];
      missing = new MissingValue[nodeCount];
      left = new int[nodeCount];
      right = new int[nodeCount];
      values = new double[nodeCount];
      covers = new double[nodeCount];
      gains = new float[nodeCount];
      number = new int[nodeCount];
      depth = new int[nodeCount];
      stack = new int[nodeCount];
      preorder = new int[nodeCount];
      seen = new boolean[nodeCount];
    }
    Arrays.fill(kinds, 0, nodeCount, UNDECLARED);
    Arrays.fill(categories, 0, nodeCount, null);
    Arrays.fill(covers, 0, nodeCount, Double.NaN);
    Arrays.fill(gains, 0, nodeCount, Float.NaN);
    functions.clear();
    nodes = nodeCount;
    return this;
  }

  /**
   * Declares a numeric split.
   *
   * @param threshold the bound, computed by {@link Thresholds}
   * @param left the number of the left child
   * @param right the number of the right child
   */
  public void split(
      int node, int feature, float threshold, MissingValue rule, int left, int right) {
    if (Float.isNaN(threshold)) {
      throw failure(node, "found threshold NaN, expected a number");
    }
    declareSplit(node, feature, rule, left, right);
    thresholds[node] = threshold + 0f;
  }

  /** Checks that the categories of a split do not exceed {@link EnsembleLimits#maxCategory}. */
  public void checkCategories(int node, CategorySet set) {
    limits.check("tree " + tree + ", node " + node + ": category", set.end() - 1L, Limit.CATEGORY);
  }

  /** Declares a categorical split. Values in {@code set} go to the child {@code left}. */
  public void split(
      int node, int feature, CategorySet set, MissingValue rule, int left, int right) {
    checkCategories(node, set);
    declareSplit(node, feature, rule, left, right);
    categories[node] = set;
    thresholds[node] = Float.NaN;
  }

  private void declareSplit(
      int node, int feature, MissingValue rule, int leftChild, int rightChild) {
    declare(node, SPLIT);
    check(node, "feature ", feature, featureCount);
    check(node, "left child ", leftChild, nodes);
    check(node, "right child ", rightChild, nodes);
    features[node] = feature;
    missing[node] = rule;
    left[node] = leftChild;
    right[node] = rightChild;
  }

  public void leaf(int node, double value) {
    declare(node, LEAF);
    if (!Double.isFinite(value)) {
      throw failure(node, "leaf value " + value + ", expected a finite number");
    }
    values[node] = value;
  }

  private record Function(double constant, int[] features, double[] coefficients) {}

  /**
   * Declares the linear function of a leaf, see {@link LinearLeaves}. Either all leaves of a tree
   * have a function, or none. The reader must also call {@link #leaf} for the leaf's value.
   *
   * @param features the feature of each term, in the order of the terms
   * @param coefficients the coefficient of each term
   */
  public void linearLeaf(int node, double constant, int[] features, double[] coefficients) {
    checkNode(node);
    if (!Double.isFinite(constant)) {
      throw failure(node, "leaf constant " + constant + ", expected a finite number");
    }
    for (int term = 0; term < features.length; term++) {
      check(node, "leaf feature ", features[term], featureCount);
      if (!Double.isFinite(coefficients[term])) {
        throw failure(
            node, "leaf coefficient " + coefficients[term] + ", expected a finite number");
      }
    }
    terms += features.length;
    limits.check("terms of the linear functions of all leaves", terms, Limit.NODES);
    functions.put(node, new Function(constant, features, coefficients));
  }

  /** Sets the cover of a node: the amount of training data that reached it. */
  public void cover(int node, double cover) {
    checkNode(node);
    covers[node] = cover;
  }

  /** Sets the gain of a split: the reduction of the training loss by the split. */
  public void gain(int node, float gain) {
    checkNode(node);
    gains[node] = gain;
  }

  private void checkNode(int node) {
    if (node < 0 || node >= nodes) {
      throw failure(node, "the node is out of range, expected 0.." + (nodes - 1));
    }
  }

  private void declare(int node, byte kind) {
    checkNode(node);
    if (kinds[node] != UNDECLARED) {
      throw failure(node, "the node is declared twice");
    }
    kinds[node] = kind;
  }

  private void check(int node, String what, int value, int end) {
    if (value < 0 || value >= end) {
      throw failure(node, what + value + ", expected 0.." + (end - 1));
    }
  }

  /** Returns the tree with the given root node. Visits each node once, with an explicit stack. */
  public Tree build(int root) {
    if (root < 0 || root >= nodes) {
      throw failure(root, "the root is out of range, expected 0.." + (nodes - 1));
    }
    Arrays.fill(seen, 0, nodes, false);
    depth[root] = 0;
    int top = 0;
    int visited = 0;
    int splits = 0;
    int leaves = 0;
    int maxDepth = 0;
    stack[top++] = root;
    seen[root] = true;
    while (top > 0) {
      int node = stack[--top];
      preorder[visited++] = node;
      maxDepth = Math.max(maxDepth, depth[node]);
      if (kinds[node] == LEAF) {
        number[node] = ~leaves++;
      } else if (kinds[node] == SPLIT) {
        number[node] = splits++;
        // The left child is pushed last and so visited first, because leaves are visited from left
        // to right.
        top = push(top, node, right[node]);
        top = push(top, node, left[node]);
      } else {
        throw failure(
            node, "the node is the root or a child, but it was never defined as a split or a leaf");
      }
    }
    if (visited < nodes && !deletedNodes) {
      int unreachable = 0;
      while (seen[unreachable]) {
        unreachable++;
      }
      throw failure(unreachable, "the node cannot be reached from the root");
    }
    limits.check("tree " + tree + ": leaves", leaves, Limit.LEAVES);
    limits.check("tree " + tree + ": depth", maxDepth, Limit.DEPTH);
    return assemble(visited, splits, leaves, maxDepth);
  }

  private int push(int top, int parent, int child) {
    if (seen[child]) {
      throw failure(parent, "child " + child + " already has a parent or is the root");
    }
    seen[child] = true;
    depth[child] = depth[parent] + 1;
    stack[top] = child;
    return top + 1;
  }

  private Tree assemble(int visited, int splits, int leaves, int maxDepth) {
    int[] feature = new int[splits];
    float[] threshold = new float[splits];
    CategorySet[] set = new CategorySet[splits];
    MissingValue[] rule = new MissingValue[splits];
    int[] leftChild = new int[splits];
    int[] rightChild = new int[splits];
    double[] leaf = new double[leaves];
    double[] cover = new double[visited];
    float[] gain = new float[splits];
    for (int i = 0; i < visited; i++) {
      int node = preorder[i];
      int to = number[node];
      cover[to < 0 ? splits + ~to : to] = covers[node];
      if (to < 0) {
        leaf[~to] = values[node];
      } else {
        feature[to] = features[node];
        threshold[to] = thresholds[node];
        set[to] = categories[node];
        rule[to] = missing[node];
        gain[to] = gains[node];
        leftChild[to] = number[left[node]];
        rightChild[to] = number[right[node]];
      }
    }
    return new Tree(
        feature,
        threshold,
        set,
        rule,
        leftChild,
        rightChild,
        leaf,
        functions.isEmpty() ? null : linearLeaves(visited, leaves),
        maxDepth,
        NodeStatistics.of(cover, gain));
  }

  private LinearLeaves linearLeaves(int visited, int leaves) {
    int[] starts = new int[leaves + 1];
    double[] constants = new double[leaves];
    int size = functions.values().stream().mapToInt(each -> each.features.length).sum();
    int[] allFeatures = new int[size];
    double[] allCoefficients = new double[size];
    int end = 0;
    // The nodes were visited from left to right, so leaves get ascending numbers.
    for (int i = 0; i < visited; i++) {
      int node = preorder[i];
      if (number[node] < 0) {
        Function function = functions.get(node);
        if (function == null) {
          throw failure(
              node, "the leaf has only a constant value, but other leaves have linear functions");
        }
        int terms = function.features.length;
        System.arraycopy(function.features, 0, allFeatures, end, terms);
        System.arraycopy(function.coefficients, 0, allCoefficients, end, terms);
        end += terms;
        constants[~number[node]] = function.constant;
        starts[~number[node] + 1] = end;
      }
    }
    return new LinearLeaves(constants, starts, allFeatures, allCoefficients);
  }

  private InvalidModelException failure(int node, String what) {
    return new InvalidModelException("tree " + tree + ", node " + node + ": " + what);
  }
}
