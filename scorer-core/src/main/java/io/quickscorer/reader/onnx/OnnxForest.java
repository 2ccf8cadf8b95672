// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.IntList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The trees of an ONNX operator as columns, whichever of the operator's two forms they came in.
 *
 * <p>A child is a split's number, or {@code ~leaf}. Nothing is checked here but that all numbers
 * are in range.
 *
 * @param features of each split
 * @param values the number each split compares with
 * @param modes of each split, a place in {@link #MODES}
 * @param missingTrue whether each split sends NaN where its comparison were true
 * @param whenTrue the child of each split whose comparison holds
 * @param whenFalse the other child
 * @param leaves the values of all leaves
 * @param roots each tree's, as children are
 */
record OnnxForest(
    int[] features,
    double[] values,
    byte[] modes,
    boolean[] missingTrue,
    int[] whenTrue,
    int[] whenFalse,
    double[] leaves,
    int[] roots) {
  /** In the order of the numbers that {@code TreeEnsemble} gives them. */
  static final List<String> MODES =
      List.of(
          "BRANCH_LEQ",
          "BRANCH_LT",
          "BRANCH_GTE",
          "BRANCH_GT",
          "BRANCH_EQ",
          "BRANCH_NEQ",
          "BRANCH_MEMBER",
          "LEAF");

  static final int LEQ = 0;
  static final int LT = 1;
  static final int GTE = 2;
  static final int GT = 3;
  static final int EQ = 4;
  static final int NEQ = 5;
  private static final int MEMBER = 6;
  private static final int LEAF = 7;

  /**
   * The trees of {@code TreeEnsemble} (ai.onnx.ml 5): splits and leaves in columns of their own.
   *
   * @param output whose leaves are kept; others' are 0
   * @param outputs how many the model has
   */
  static OnnxForest ofSplits(OnnxNode node, EnsembleLimits limits, int output, int outputs) {
    int[] features = node.integers("nodes_featureids");
    double[] values = node.tensor("nodes_splits");
    double[] modeNumbers = node.tensor("nodes_modes");
    int[] whenTrue = node.integers("nodes_truenodeids");
    int[] whenFalse = node.integers("nodes_falsenodeids");
    int[] trueLeafs = node.integers("nodes_trueleafs");
    int[] falseLeafs = node.integers("nodes_falseleafs");
    int[] roots = node.integers("tree_roots");
    double[] leaves = node.tensor("leaf_weights");
    int n = features.length;
    limits.check("trees", roots.length, Limit.TREES);
    sameLength(node, n, values.length, "nodes_splits");
    sameLength(node, n, modeNumbers.length, "nodes_modes");
    sameLength(node, n, whenTrue.length, "nodes_truenodeids");
    sameLength(node, n, whenFalse.length, "nodes_falsenodeids");
    sameLength(node, n, trueLeafs.length, "nodes_trueleafs");
    sameLength(node, n, falseLeafs.length, "nodes_falseleafs");
    int[] targets = node.integers("leaf_targetids");
    if (outputs > 1) {
      sameLength(node, leaves.length, targets.length, "leaf_targetids");
    }
    for (int leaf = 0; leaf < targets.length; leaf++) {
      checkOutput(node, "leaf_targetids", targets[leaf], outputs);
      if (targets[leaf] != output) {
        leaves[leaf] = 0;
      }
    }
    byte[] modes = new byte[n];
    for (int i = 0; i < n; i++) {
      modes[i] = mode(node, i, (int) modeNumbers[i]);
      whenTrue[i] = child(node, i, whenTrue[i], trueLeafs[i] != 0, n, leaves.length);
      whenFalse[i] = child(node, i, whenFalse[i], falseLeafs[i] != 0, n, leaves.length);
    }
    // Else a byte could stand for a tree.
    if (roots.length > n) {
      throw node.failure("tree_roots: " + roots.length + " trees of " + n + " nodes");
    }
    for (int tree = 0; tree < roots.length; tree++) {
      int root = roots[tree];
      if (root < 0 || root >= n) {
        throw node.failure("tree_roots: tree " + tree + ": " + root + ", expected 0.." + (n - 1));
      }
      // So a tree of one leaf is written, for which the form has no other way.
      if (whenTrue[root] < 0 && whenTrue[root] == whenFalse[root]) {
        roots[tree] = whenTrue[root];
        // ONNX Runtime 1.29 takes the leaf that has the root's number.
        int leaf = ~roots[tree];
        if (root >= leaves.length || leaves[root] != leaves[leaf]) {
          throw node.failure(
              "tree_roots: tree "
                  + tree
                  + ": of a tree that is leaf "
                  + leaf
                  + " ONNX Runtime takes leaf "
                  + root
                  + "; export it for ai.onnx.ml 3");
        }
      }
    }
    boolean[] missing = missing(node, n);
    return new OnnxForest(features, values, modes, missing, whenTrue, whenFalse, leaves, roots);
  }

  private static void checkOutput(OnnxNode node, String what, int target, int outputs) {
    if (target < 0 || target >= outputs) {
      throw node.failure(what + ": " + target + ", expected 0.." + (outputs - 1));
    }
  }

  private static int child(OnnxNode node, int split, int id, boolean leaf, int splits, int leaves) {
    int bound = leaf ? leaves : splits;
    if (id < 0 || id >= bound) {
      throw node.failure("node " + split + ": child " + id + ", expected 0.." + (bound - 1));
    }
    return leaf ? ~id : id;
  }

  private static byte mode(OnnxNode node, int split, int mode) {
    if (mode < LEQ || mode > MEMBER) {
      throw node.failure("node " + split + ": mode " + mode);
    }
    if (mode == MEMBER) {
      throw node.failure("node " + split + ": mode BRANCH_MEMBER is not supported");
    }
    return (byte) mode;
  }

  private static boolean[] missing(OnnxNode node, int count) {
    int[] given = node.integers("nodes_missing_value_tracks_true");
    if (given.length > 0) {
      sameLength(node, count, given.length, "nodes_missing_value_tracks_true");
    }
    boolean[] missing = new boolean[count];
    for (int i = 0; i < given.length; i++) {
      missing[i] = given[i] != 0;
    }
    return missing;
  }

  private static void sameLength(OnnxNode node, int expected, int found, String what) {
    if (found != expected) {
      throw node.failure(what + ": " + found + " elements, expected " + expected);
    }
  }

  /**
   * The trees of {@code TreeEnsembleRegressor} and {@code TreeEnsembleClassifier} (ai.onnx.ml 1 and
   * 3): rows of nodes that may be leaves, and the leaves' weights by tree and node.
   *
   * @param votes how the attributes of the weights begin: {@code target} or {@code class}
   * @param output whose weights are kept; a leaf without one counts 0
   * @param outputs how many the model has
   */
  static OnnxForest ofNodes(
      OnnxNode node, String votes, EnsembleLimits limits, int output, int outputs) {
    return new Nodes(node, votes, limits, output, outputs).read();
  }

  private static final class Nodes {
    private final OnnxNode node;
    private final String votes;
    private final EnsembleLimits limits;
    private final int[] trees;
    private final int[] ids;
    private final byte[] modes;

    /** Of each tree id the row of its first node; trees are contiguous. */
    private final Map<Integer, Integer> firstRow = new HashMap<>();

    private final IntList starts = new IntList();

    private final int output;
    private final int outputs;

    Nodes(OnnxNode node, String votes, EnsembleLimits limits, int output, int outputs) {
      this.output = output;
      this.outputs = outputs;
      this.node = node;
      this.votes = votes;
      this.limits = limits;
      this.trees = node.integers("nodes_treeids");
      this.ids = node.integers("nodes_nodeids");
      this.modes = node.choices("nodes_modes", MODES);
      sameLength(node, trees.length, ids.length, "nodes_nodeids");
      sameLength(node, trees.length, modes.length, "nodes_modes");
    }

    OnnxForest read() {
      int n = trees.length;
      int[] features = column("nodes_featureids");
      double[] values = node.numbers("nodes_values");
      sameLength(node, n, values.length, "nodes_values");
      int[] whenTrue = column("nodes_truenodeids");
      int[] whenFalse = column("nodes_falsenodeids");
      int[] row = rows();
      double[] leaves = weights(row);
      for (int i = 0; i < n; i++) {
        if (modes[i] == MEMBER) {
          throw failure(i, "mode BRANCH_MEMBER is not supported");
        }
        if (modes[i] != LEAF) {
          whenTrue[i] = child(i, whenTrue[i], row);
          whenFalse[i] = child(i, whenFalse[i], row);
        }
      }
      int[] roots = new int[starts.size()];
      for (int tree = 0; tree < roots.length; tree++) {
        // The first row of a tree is its root, whatever its number.
        int root = starts.get(tree);
        roots[tree] = modes[root] == LEAF ? ~root : root;
      }
      return new OnnxForest(
          features, values, modes, missing(node, n), whenTrue, whenFalse, leaves, roots);
    }

    private int[] column(String name) {
      int[] column = node.integers(name);
      sameLength(node, trees.length, column.length, name);
      return column;
    }

    /** The row of each tree's node by {@code first row of the tree + node id}. */
    private int[] rows() {
      int[] row = new int[trees.length];
      Arrays.fill(row, -1);
      for (int i = 0; i < trees.length; i++) {
        if (i == 0 || trees[i] != trees[i - 1]) {
          if (firstRow.put(trees[i], i) != null) {
            throw failure(i, "the tree's nodes are not together");
          }
          starts.add(i);
          limits.check("trees", starts.size(), Limit.TREES);
        }
      }
      for (int i = 0; i < trees.length; i++) {
        int at = place(trees[i], ids[i]);
        if (at < 0 || row[at] >= 0) {
          throw failure(i, "node ids must be 0, 1, ... in each tree");
        }
        row[at] = i;
      }
      return row;
    }

    /** Where in {@link #rows} a node stands; -1 if its tree has no such node. */
    private int place(int tree, int id) {
      Integer first = firstRow.get(tree);
      if (first == null
          || Integer.compareUnsigned(id, trees.length - first) >= 0
          || trees[first + id] != tree) {
        return -1;
      }
      return first + id;
    }

    private int child(int i, int id, int[] row) {
      int at = place(trees[i], id);
      if (at < 0) {
        throw failure(i, "child " + id + ", which the tree does not have");
      }
      return modes[row[at]] == LEAF ? ~row[at] : row[at];
    }

    /** The leaves' values, at the leaves' rows. */
    private double[] weights(int[] row) {
      int[] ofTree = node.integers(votes + "_treeids");
      int[] ofNode = node.integers(votes + "_nodeids");
      double[] weights = node.numbers(votes + "_weights");
      sameLength(node, ofTree.length, ofNode.length, votes + "_nodeids");
      sameLength(node, ofTree.length, weights.length, votes + "_weights");
      int[] ofOutput = node.integers(votes + "_ids");
      if (outputs > 1) {
        sameLength(node, weights.length, ofOutput.length, votes + "_ids");
      }
      for (int id : ofOutput) {
        checkOutput(node, votes + "_ids", id, outputs);
      }
      double[] leaves = new double[trees.length];
      boolean[] given = new boolean[trees.length];
      boolean[] second = new boolean[trees.length];
      for (int i = 0; i < weights.length; i++) {
        int at = place(ofTree[i], ofNode[i]);
        if (at < 0) {
          throw node.failure(votes + "_nodeids: element " + i + " names no node");
        }
        int leaf = row[at];
        second[leaf] |= outputs == 2 && ofOutput[i] == 1;
        // Some exporters give splits weights, which the runtime passes over.
        if (modes[leaf] == LEAF && (outputs == 1 || ofOutput[i] == output)) {
          if (given[leaf]) {
            throw failure(leaf, "the leaf has several weights for one output");
          }
          given[leaf] = true;
          leaves[leaf] = weights[i];
        }
      }
      for (int i = 0; i < leaves.length; i++) {
        if (modes[i] == LEAF && !given[i] && outputs == 1) {
          throw failure(i, "the leaf has no weight");
        }
      }
      if (outputs == 2 && votes.equals("class")) {
        checkSecondClass(second);
      }
      return leaves;
    }

    /**
     * Of two classes, the runtime gives other scores to rows for which no tree has a weight of the
     * second class; there are none where one tree has such a weight on each of its leaves.
     */
    private void checkSecondClass(boolean[] second) {
      int without = -1;
      for (int tree = 0; tree < starts.size(); tree++) {
        int end = tree + 1 < starts.size() ? starts.get(tree + 1) : trees.length;
        int i = starts.get(tree);
        while (i < end && (modes[i] != LEAF || second[i])) {
          i++;
        }
        if (i == end) {
          return;
        }
        without = without < 0 ? i : without;
      }
      if (without >= 0) {
        throw failure(
            without,
            "the leaf has no weight of the second class, and each tree has such leaves: ONNX"
                + " Runtime gives other scores to rows without such a weight");
      }
    }

    private InvalidModelException failure(int i, String what) {
      return node.failure("tree " + trees[i] + ", node " + ids[i] + ": " + what);
    }
  }
}
