// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import io.quickscorer.ensemble.EnsembleLimits.Limit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks one tree's structure and builds it; no other code does.
 *
 * <p>A reader declares the nodes under their numbers in the file, in any order, then calls {@link
 * #build}. Refused, with the tree and the node in the message: children out of range, shared or
 * cyclic; nodes never declared or declared twice; feature out of range; a threshold that is NaN; a
 * leaf value that is not finite; more leaves, depth or nodes than {@link EnsembleLimits} allow;
 * nodes that cannot be reached from the root unless the format keeps deleted ones. Covers and gains
 * are optional and not checked.
 *
 * <p>Not safe for use by several threads; one instance builds any number of trees in turn.
 */
public final class TreeBuilder {
  private static final byte UNDECLARED = 0;
  private static final byte SPLIT = 1;
  private static final byte LEAF = 2;

  private final EnsembleLimits limits;
  private final int featureCount;
  private final boolean deletedNodes;
  private final StatisticsCollector statistics = new StatisticsCollector();

  private int tree;
  private byte[] kinds = new byte[0];
  private int[] features = new int[0];
  private float[] thresholds = new float[0];
  private @Nullable CategorySet[] categories = new CategorySet[0];
  private MissingValue[] missing = new MissingValue[0];
  private int[] left = new int[0];
  private int[] right = new int[0];
  private double[] values = new double[0];
  private final Map<Integer, Function> functions = new HashMap<>();

  // Buffers of a walk, reused for the next tree: the tree's own numbers of nodes, their depths,
  // nodes still to visit, nodes in the order visited.
  private int[] number = new int[0];
  private int[] depth = new int[0];
  private int[] stack = new int[0];
  private int[] preorder = new int[0];
  private boolean[] seen = new boolean[0];

  private int nodes;
  private long allNodes;
  private long terms;

  /**
   * @param featureCount features of the model; a split's feature lies in [0, featureCount)
   * @param deletedNodes whether nodes that cannot be reached from the root are allowed (XGBoost's
   *     pruned trees)
   */
  public TreeBuilder(EnsembleLimits limits, int featureCount, boolean deletedNodes) {
    limits.check("features", featureCount, Limit.FEATURES);
    this.limits = limits;
    this.featureCount = featureCount;
    this.deletedNodes = deletedNodes;
  }

  /**
   * Starts the next tree.
   *
   * @param tree its number, for messages
   * @param nodeCount splits and leaves together; nodes are numbered [0, nodeCount)
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
      number = new int[nodeCount];
      depth = new int[nodeCount];
      stack = new int[nodeCount];
      preorder = new int[nodeCount];
      seen = new boolean[nodeCount];
    }
    Arrays.fill(kinds, 0, nodeCount, UNDECLARED);
    Arrays.fill(categories, 0, nodeCount, null);
    statistics.start();
    functions.clear();
    nodes = nodeCount;
    return this;
  }

  /**
   * Declares a numeric split; a NaN threshold is refused.
   *
   * @param threshold from {@link Thresholds}
   */
  public void split(
      int node, int feature, float threshold, MissingValue rule, int left, int right) {
    if (Float.isNaN(threshold)) {
      throw failure(node, "threshold NaN, expected a number");
    }
    declareSplit(node, feature, rule, left, right);
    thresholds[node] = threshold + 0f;
  }

  /** Checks the categories of a set that the split to be declared uses. */
  public void checkCategories(int node, CategorySet set) {
    limits.check("tree " + tree + ", node " + node + ": category", set.end() - 1L, Limit.CATEGORY);
  }

  /** Declares a categorical split: members of the set go left. */
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
    if (feature < 0 || feature >= featureCount) {
      throw failure(node, "feature " + feature + ", expected 0.." + (featureCount - 1));
    }
    checkChild(node, "left", leftChild);
    checkChild(node, "right", rightChild);
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

  /** The function of a linear leaf. */
  private record Function(double constant, int[] features, double[] coefficients) {}

  /**
   * Declares the function of a leaf, see {@link LinearLeaves}; all leaves of a tree have one, or
   * none. The leaf's value is declared by {@link #leaf} in addition.
   *
   * @param features of the terms, in their order
   * @param coefficients as many
   */
  public void linearLeaf(int node, double constant, int[] features, double[] coefficients) {
    checkNode(node);
    if (!Double.isFinite(constant)) {
      throw failure(node, "leaf constant " + constant + ", expected a finite number");
    }
    for (int term = 0; term < features.length; term++) {
      if (features[term] < 0 || features[term] >= featureCount) {
        throw failure(
            node, "leaf feature " + features[term] + ", expected 0.." + (featureCount - 1));
      }
      if (!Double.isFinite(coefficients[term])) {
        throw failure(
            node, "leaf coefficient " + coefficients[term] + ", expected a finite number");
      }
    }
    terms += features.length;
    limits.check("terms of all leaves", terms, Limit.NODES);
    functions.put(node, new Function(constant, features, coefficients));
  }

  /** Sets how much training data reached a node; see {@link NodeStatistics}. */
  public void cover(int node, double cover) {
    checkNode(node);
    statistics.cover(node, nodes, cover);
  }

  /** Sets by how much a split lowered the loss; see {@link NodeStatistics}. */
  public void gain(int node, float gain) {
    checkNode(node);
    statistics.gain(node, nodes, gain);
  }

  private void checkNode(int node) {
    if (node < 0 || node >= nodes) {
      throw failure(node, "node out of range, expected 0.." + (nodes - 1));
    }
  }

  private void declare(int node, byte kind) {
    checkNode(node);
    if (kinds[node] != UNDECLARED) {
      throw failure(node, "declared twice");
    }
    kinds[node] = kind;
  }

  private void checkChild(int node, String side, int child) {
    if (child < 0 || child >= nodes) {
      throw failure(node, side + " child " + child + ", expected 0.." + (nodes - 1));
    }
  }

  /** Walks the tree once from its root with an explicit stack and builds it. */
  public Tree build(int root) {
    if (root < 0 || root >= nodes) {
      throw failure(root, "root out of range, expected 0.." + (nodes - 1));
    }
    Arrays.fill(seen, 0, nodes, false);
    depth[root] = 0;
    int top = 0;
    int visited = 0;
    int splits = 0;
    int leaves = 0;
    int deepest = 0;
    stack[top++] = root;
    seen[root] = true;
    while (top > 0) {
      int node = stack[--top];
      preorder[visited++] = node;
      deepest = Math.max(deepest, depth[node]);
      if (kinds[node] == LEAF) {
        number[node] = ~leaves++;
      } else if (kinds[node] == SPLIT) {
        number[node] = splits++;
        // The left child is pushed last, so that leaves are visited from left to right.
        top = push(top, node, right[node]);
        top = push(top, node, left[node]);
      } else {
        throw failure(node, "a child or the root, but not declared");
      }
    }
    if (visited < nodes && !deletedNodes) {
      int lost = 0;
      while (seen[lost]) {
        lost++;
      }
      throw failure(lost, "cannot be reached from the root");
    }
    limits.check("tree " + tree + ": leaves", leaves, Limit.LEAVES);
    limits.check("tree " + tree + ": depth", deepest, Limit.DEPTH);
    return assemble(visited, splits, leaves, deepest);
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

  private Tree assemble(int visited, int splits, int leaves, int deepest) {
    int[] feature = new int[splits];
    float[] threshold = new float[splits];
    CategorySet[] set = new CategorySet[splits];
    MissingValue[] rule = new MissingValue[splits];
    int[] leftChild = new int[splits];
    int[] rightChild = new int[splits];
    double[] leaf = new double[leaves];
    for (int i = 0; i < visited; i++) {
      int node = preorder[i];
      int to = number[node];
      if (to < 0) {
        leaf[~to] = values[node];
      } else {
        feature[to] = features[node];
        threshold[to] = thresholds[node];
        set[to] = categories[node];
        rule[to] = missing[node];
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
        deepest,
        statistics.collect(preorder, visited, number, splits));
  }

  private LinearLeaves linearLeaves(int visited, int leaves) {
    int[] starts = new int[leaves + 1];
    double[] constants = new double[leaves];
    int size = functions.values().stream().mapToInt(of -> of.features.length).sum();
    int[] allFeatures = new int[size];
    double[] allCoefficients = new double[size];
    int end = 0;
    // Leaves are visited from left to right.
    for (int i = 0; i < visited; i++) {
      int node = preorder[i];
      if (number[node] < 0) {
        Function function = functions.get(node);
        if (function == null) {
          throw failure(node, "has a value only, but other leaves are linear");
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
