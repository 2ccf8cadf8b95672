// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import java.util.Arrays;
import java.util.List;

/**
 * The trees of an ONNX operator as arrays, for both ways in which ONNX operators represent trees.
 *
 * <p>A child is the number of a split, or {@code ~leaf}. This class checks only that these numbers
 * are in range.
 *
 * @param features the feature of each split
 * @param values the number with which each split compares
 * @param modes the comparison of each split, an index of {@link #MODES}
 * @param missingTrue whether each split treats NaN as if its comparison were true
 * @param whenTrue the child of each split if its comparison is true
 * @param whenFalse the child of each split if its comparison is false
 * @param leaves the values of all leaves
 * @param roots the root of each tree, as a child
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
   * A mode (kind of comparison) that files do not contain: whether the value, truncated to a whole
   * number, is equal to the split's number.
   */
  static final int CATEGORY = 8;

  /**
   * Returns the trees of the operator {@code TreeEnsemble} (ai.onnx.ml 5), which has separate
   * attributes for splits and leaves.
   *
   * @param output the output to score; the leaves of other outputs become 0
   * @param outputs the number of the model's outputs
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
    // Otherwise, a file could contain a tree for each byte.
    if (roots.length > n) {
      throw node.failure(
          "tree_roots: found " + roots.length + " trees, but the file has " + n + " nodes");
    }
    for (int tree = 0; tree < roots.length; tree++) {
      int root = roots[tree];
      if (root < 0 || root >= n) {
        throw node.failure(
            "tree_roots: tree " + tree + " has root " + root + ", expected 0.." + (n - 1));
      }
      // The operator represents a tree of one leaf by a split whose two children are the same leaf.
      if (whenTrue[root] < 0 && whenTrue[root] == whenFalse[root]) {
        roots[tree] = whenTrue[root];
        // For such a tree, ONNX Runtime 1.29 uses the leaf whose number is the number of the root.
        int leaf = ~roots[tree];
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
    boolean[] missing = missing(node, n);
    OnnxForest forest =
        new OnnxForest(features, values, modes, missing, whenTrue, whenFalse, leaves, roots);
    return forest.withEqualities(node, node.tensor("membership_values"));
  }

  /**
   * Replaces each test for membership in a set by a chain of equality tests, as ONNX Runtime does.
   *
   * @param members the members for each test, in the order of the tests; a NaN ends the members of
   *     a test
   */
  private OnnxForest withEqualities(OnnxNode node, double[] members) {
    int more = 0;
    int at = 0;
    int[] starts = new int[modes.length];
    for (int i = 0; i < modes.length; i++) {
      starts[i] = at;
      if (modes[i] == MEMBER) {
        while (at < members.length && !Double.isNaN(members[at])) {
          at++;
        }
        if (at == starts[i]) {
          throw node.failure("membership_values: node " + i + " has no values");
        }
        more += at - starts[i] - 1;
        at++;
      }
    }
    if (at < members.length) {
      throw node.failure("membership_values: found more lists than nodes of mode BRANCH_MEMBER");
    }
    int next = modes.length;
    OnnxForest chains = withRoom(more);
    for (int i = 0; i < modes.length; i++) {
      if (modes[i] != MEMBER) {
        continue;
      }
      int equality = i;
      for (int m = starts[i]; ; m++) {
        chains.features[equality] = features[i];
        chains.modes[equality] = EQ;
        chains.missingTrue[equality] = missingTrue[i];
        chains.values[equality] = members[m];
        chains.whenTrue[equality] = whenTrue[i];
        chains.whenFalse[equality] = whenFalse[i];
        if (m + 1 == members.length || Double.isNaN(members[m + 1])) {
          break;
        }
        chains.whenFalse[equality] = next;
        equality = next++;
      }
    }
    return chains;
  }

  private OnnxForest withRoom(int more) {
    int length = modes.length + more;
    return new OnnxForest(
        Arrays.copyOf(features, length),
        Arrays.copyOf(values, length),
        Arrays.copyOf(modes, length),
        Arrays.copyOf(missingTrue, length),
        Arrays.copyOf(whenTrue, length),
        Arrays.copyOf(whenFalse, length),
        leaves,
        roots);
  }

  /**
   * Returns whether ONNX Runtime 1.29 treats missing values in the next split by the rule of this
   * split, although the rules differ. It does if both splits test the same feature for equality and
   * lead to the same child.
   */
  boolean mixesMissing(int split) {
    int next = whenFalse[split];
    return next >= 0
        && modes[split] == EQ
        && modes[next] == EQ
        && features[split] == features[next]
        && whenTrue[split] == whenTrue[next]
        && missingTrue[split] != missingTrue[next];
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

  private static byte mode(OnnxNode node, int split, int mode) {
    if (mode < LEQ || mode > MEMBER) {
      throw node.failure("node " + split + ": mode " + mode + ", expected " + LEQ + ".." + MEMBER);
    }
    return (byte) mode;
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
