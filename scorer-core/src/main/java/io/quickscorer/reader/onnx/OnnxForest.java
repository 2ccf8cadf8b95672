// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.reader.common.Outputs;
import java.util.ArrayList;
import java.util.List;

/**
 * The trees of an ONNX operator. Some operators list splits and leaves separately, others list all
 * nodes together.
 *
 * @param splits the splits; if the operator lists all nodes together, one element per node, which
 *     has the mode {@link #LEAF} for a leaf
 * @param leaves the values of all leaves; if the operator lists all nodes together, one element per
 *     node
 * @param roots the root of each tree: the number of a split, or {@code ~leaf}
 */
record OnnxForest(List<Split> splits, double[] leaves, int[] roots) {
  /**
   * A split. A child is the number of a split, or {@code ~leaf}; these numbers are in range.
   *
   * @param value the number with which the split compares
   * @param mode the comparison, an index of {@link #MODES}
   * @param missingTrue whether NaN is treated as if the comparison were true
   * @param whenTrue the child if the comparison is true
   * @param whenFalse the child if the comparison is false
   */
  record Split(
      int feature, double value, int mode, boolean missingTrue, int whenTrue, int whenFalse) {
    int child(boolean holds) {
      return holds ? whenTrue : whenFalse;
    }

    Split of(int otherFeature) {
      return new Split(otherFeature, value, mode, missingTrue, whenTrue, whenFalse);
    }

    Split to(int first, int second) {
      return new Split(feature, value, mode, missingTrue, first, second);
    }
  }

  /**
   * The names of the modes (kinds of comparisons), in the order of their numbers in the operator
   * {@code TreeEnsemble}.
   */
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
  static final int MEMBER = 6;
  static final int LEAF = 7;

  /**
   * The comparison (mode) that tests whether the value, truncated to a whole number, is equal to
   * the split's number. Files do not contain it.
   */
  static final int CATEGORY = 8;

  /**
   * Returns the trees of the operator {@code TreeEnsemble} (ai.onnx.ml 5), which has separate
   * attributes for splits and leaves.
   *
   * @param outputs the output to score; the leaves of other outputs become 0
   */
  static OnnxForest ofSplits(OnnxNode node, EnsembleLimits limits, Outputs outputs) {
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
    boolean[] missing = missing(node, n);
    int[] targets = node.integers("leaf_targetids");
    if (outputs.count() > 1) {
      sameLength(node, leaves.length, targets.length, "leaf_targetids");
    }
    for (int leaf = 0; leaf < targets.length; leaf++) {
      checkOutput(node, "leaf_targetids", targets[leaf], outputs.count());
      if (targets[leaf] != outputs.chosen()) {
        leaves[leaf] = 0;
      }
    }
    List<Split> splits = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      int mode = (int) modeNumbers[i];
      if (mode < LEQ || mode > MEMBER) {
        throw node.failure("node " + i + ": mode " + mode + ", expected " + LEQ + ".." + MEMBER);
      }
      int first = child(node, i, whenTrue[i], trueLeafs[i] != 0, n, leaves.length);
      int second = child(node, i, whenFalse[i], falseLeafs[i] != 0, n, leaves.length);
      splits.add(new Split(features[i], values[i], mode, missing[i], first, second));
    }
    // Otherwise, a file could contain a tree for each byte.
    if (roots.length > n) {
      throw node.failure(
          "tree_roots: found "
              + roots.length
              + " roots, but the file has only "
              + n
              + " nodes; expected at most one root per node");
    }
    for (int tree = 0; tree < roots.length; tree++) {
      int root = roots[tree];
      if (root < 0 || root >= n) {
        throw node.failure(
            "tree_roots: tree " + tree + " has root " + root + ", expected 0.." + (n - 1));
      }
      // The operator represents a tree of one leaf by a split whose two children are the same leaf.
      int child = splits.get(root).whenTrue;
      if (child < 0 && child == splits.get(root).whenFalse) {
        roots[tree] = child;
        // For such a tree, ONNX Runtime 1.29 uses the leaf whose number is the number of the root.
        int leaf = ~child;
        if (root >= leaves.length || leaves[root] != leaves[leaf]) {
          throw node.failure(
              "tree_roots: tree "
                  + tree
                  + " consists only of leaf "
                  + leaf
                  + ", but ONNX Runtime would use leaf "
                  + root
                  + "; export the model for ai.onnx.ml 3");
        }
      }
    }
    return new OnnxForest(splits, leaves, roots)
        .withEqualities(node, node.tensor("membership_values"));
  }

  /**
   * Returns a copy in which each test for membership in a set is a chain of equality tests, as in
   * ONNX Runtime.
   *
   * @param members the members of all sets, in the order of the tests; NaN marks the end of each
   *     set
   */
  private OnnxForest withEqualities(OnnxNode node, double[] members) {
    boolean hasSets = splits.stream().anyMatch(split -> split.mode == MEMBER);
    List<Split> chains = hasSets ? new ArrayList<>(splits) : splits;
    int at = 0;
    for (int i = 0; i < splits.size(); i++) {
      Split set = splits.get(i);
      if (set.mode != MEMBER) {
        continue;
      }
      if (at >= members.length || Double.isNaN(members[at])) {
        throw node.failure("membership_values: node " + i + " has no values");
      }
      int place = i;
      while (at < members.length && !Double.isNaN(members[at])) {
        double member = members[at++];
        boolean last = at == members.length || Double.isNaN(members[at]);
        int next = last ? set.whenFalse : chains.size();
        chains.set(place, new Split(set.feature, member, EQ, set.missingTrue, set.whenTrue, next));
        if (!last) {
          place = next;
          chains.add(set);
        }
      }
      at++;
    }
    if (at < members.length) {
      throw node.failure("membership_values: found more lists than nodes of mode BRANCH_MEMBER");
    }
    return new OnnxForest(chains, leaves, roots);
  }

  /**
   * Returns whether ONNX Runtime 1.29 ignores the rule for missing values of a split's child {@code
   * whenFalse}, and applies the split's rule there too. It does so if the two nodes have different
   * rules, test the same feature for equality, and have the same child {@code whenTrue}.
   */
  boolean mixesMissing(int split) {
    Split first = splits.get(split);
    if (first.mode != EQ || first.whenFalse < 0) {
      return false;
    }
    Split next = splits.get(first.whenFalse);
    return next.mode == EQ
        && first.feature == next.feature
        && first.whenTrue == next.whenTrue
        && first.missingTrue != next.missingTrue;
  }

  static void checkOutput(OnnxNode node, String what, int target, int outputs) {
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

  static boolean[] missing(OnnxNode node, int count) {
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

  static void sameLength(OnnxNode node, int expected, int found, String what) {
    if (found != expected) {
      throw node.failure(what + ": found " + found + " elements, expected " + expected);
    }
  }
}
