// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.common.Outputs;
import io.quickscorer.reader.input.IntList;
import io.quickscorer.reader.onnx.OnnxForest.Split;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the trees of {@code TreeEnsembleRegressor} and {@code TreeEnsembleClassifier} (ai.onnx.ml 1
 * and 3). In the attributes of these operators, each row (index) is a node, which is a split or a
 * leaf. The weights of the leaves are listed separately, by tree and node.
 */
final class OnnxNodeRows {
  private final OnnxNode node;
  private final String votes;
  private final EnsembleLimits limits;
  private final int[] trees;
  private final int[] ids;
  private final int[] modes;

  /**
   * For each tree id, the index of the tree's first node in the attributes. The nodes of a tree are
   * consecutive.
   */
  private final Map<Integer, Integer> firstRow = new HashMap<>();

  private final IntList starts = new IntList();

  private final int output;
  private final int outputs;

  /**
   * Creates a reader of an operator's trees.
   *
   * @param votes the prefix of the attributes of the weights: {@code target} or {@code class}
   * @param chosen the output to score; a leaf without a weight for it counts as 0
   */
  OnnxNodeRows(OnnxNode node, String votes, EnsembleLimits limits, Outputs chosen) {
    this.output = chosen.chosen();
    this.outputs = chosen.count();
    this.node = node;
    this.votes = votes;
    this.limits = limits;
    this.trees = node.integers("nodes_treeids");
    this.ids = node.integers("nodes_nodeids");
    this.modes = node.choices("nodes_modes", OnnxForest.MODES);
    OnnxForest.sameLength(node, trees.length, ids.length, "nodes_nodeids");
    OnnxForest.sameLength(node, trees.length, modes.length, "nodes_modes");
  }

  OnnxForest read() {
    int n = trees.length;
    int[] features = column("nodes_featureids");
    double[] values = node.numbers("nodes_values");
    OnnxForest.sameLength(node, n, values.length, "nodes_values");
    int[] whenTrue = column("nodes_truenodeids");
    int[] whenFalse = column("nodes_falsenodeids");
    int[] row = rows();
    double[] leaves = weights(row);
    boolean[] missing = OnnxForest.missing(node, n);
    List<Split> splits = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      if (modes[i] == OnnxForest.MEMBER) {
        throw failure(i, "mode BRANCH_MEMBER is only supported in the operator TreeEnsemble");
      }
      boolean leaf = modes[i] == OnnxForest.LEAF;
      int first = leaf ? whenTrue[i] : child(i, whenTrue[i], row);
      int second = leaf ? whenFalse[i] : child(i, whenFalse[i], row);
      splits.add(new Split(features[i], values[i], modes[i], missing[i], first, second));
    }
    int[] roots = new int[starts.size()];
    for (int tree = 0; tree < roots.length; tree++) {
      // The first row of a tree is its root, regardless of its node id.
      int root = starts.get(tree);
      roots[tree] = modes[root] == OnnxForest.LEAF ? ~root : root;
    }
    return new OnnxForest(splits, leaves, roots);
  }

  private int[] column(String name) {
    int[] column = node.integers(name);
    OnnxForest.sameLength(node, trees.length, column.length, name);
    return column;
  }

  /**
   * Returns an array that maps each node to its position in the operator's attributes. The index of
   * a node in the array is the position of its tree's first node plus the id of the node. The ids
   * of a tree must be 0, 1, and so on, so every element has a node.
   */
  private int[] rows() {
    int[] row = new int[trees.length];
    Arrays.fill(row, -1);
    for (int i = 0; i < trees.length; i++) {
      if (i == 0 || trees[i] != trees[i - 1]) {
        if (firstRow.put(trees[i], i) != null) {
          throw failure(i, "the nodes of the tree are not consecutive");
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

  /**
   * Returns the index of a tree's node in the result of {@link #rows}; -1 if the tree has no node
   * with this id.
   */
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
      throw failure(i, "child " + id + " of this node does not exist in the tree");
    }
    return modes[row[at]] == OnnxForest.LEAF ? ~row[at] : row[at];
  }

  /**
   * Returns the values of all leaves, indexed by the leaf's position in the operator's attributes.
   *
   * @param row the result of {@link #rows}
   */
  private double[] weights(int[] row) {
    int[] ofTree = node.integers(votes + "_treeids");
    int[] ofNode = node.integers(votes + "_nodeids");
    double[] weights = node.numbers(votes + "_weights");
    OnnxForest.sameLength(node, ofTree.length, ofNode.length, votes + "_nodeids");
    OnnxForest.sameLength(node, ofTree.length, weights.length, votes + "_weights");
    int[] ofOutput = node.integers(votes + "_ids");
    if (outputs > 1) {
      OnnxForest.sameLength(node, weights.length, ofOutput.length, votes + "_ids");
    }
    for (int id : ofOutput) {
      OnnxForest.checkOutput(node, votes + "_ids", id, outputs);
    }
    double[] leaves = new double[trees.length];
    boolean[] given = new boolean[trees.length];
    boolean[] second = new boolean[trees.length];
    for (int i = 0; i < weights.length; i++) {
      int at = place(ofTree[i], ofNode[i]);
      if (at < 0) {
        throw node.failure(
            votes + "_nodeids: element " + i + ": tree " + ofTree[i] + " has no node " + ofNode[i]);
      }
      int leaf = row[at];
      second[leaf] |= outputs == 2 && ofOutput[i] == 1;
      // Some exporters also write weights for splits, which ONNX Runtime ignores.
      if (modes[leaf] == OnnxForest.LEAF && (outputs == 1 || ofOutput[i] == output)) {
        if (given[leaf]) {
          throw failure(leaf, "the leaf has several weights for one output");
        }
        given[leaf] = true;
        leaves[leaf] = weights[i];
      }
    }
    for (int i = 0; i < leaves.length; i++) {
      if (modes[i] == OnnxForest.LEAF && !given[i] && outputs == 1) {
        throw failure(i, "the leaf has no weight");
      }
    }
    if (outputs == 2 && votes.equals("class")) {
      checkSecondClass(second);
    }
    return leaves;
  }

  /**
   * Checks a model of two classes. If none of the leaves that a document reaches has a weight for
   * the second class, ONNX Runtime scores the document by another rule. So the model is supported
   * only if all leaves of at least one tree have such a weight.
   */
  private void checkSecondClass(boolean[] second) {
    int without = -1;
    for (int tree = 0; tree < starts.size(); tree++) {
      int end = tree + 1 < starts.size() ? starts.get(tree + 1) : trees.length;
      int i = starts.get(tree);
      while (i < end && (modes[i] != OnnxForest.LEAF || second[i])) {
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
          "the leaf has no weight of the second class; if each tree has such leaves, the model is"
              + " not supported, because ONNX Runtime scores rows that reach only such leaves"
              + " differently");
    }
  }

  private InvalidModelException failure(int i, String what) {
    return node.failure("tree " + trees[i] + ", node " + ids[i] + ": " + what);
  }
}
