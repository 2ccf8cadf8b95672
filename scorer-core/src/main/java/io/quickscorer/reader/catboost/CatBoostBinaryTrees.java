// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.reader.catboost.FlatBuffer.Vector;

/**
 * Reads the trees of CatBoost's binary file. An oblivious tree has one split per level; its leaf
 * values are consecutive. In other trees, each node has a split, two steps and the index of a leaf
 * value. A step is a child's number minus the node's number. If it is 0, there is no such child,
 * and the node's leaf value is the result. If there are several outputs, a leaf has one value for
 * each output, one after the other.
 */
record CatBoostBinaryTrees(
    FlatBuffer file,
    int table,
    CatBoostBinaryFeatures splits,
    CatBoostTrees trees,
    CatBoostOutputs outputs,
    EnsembleLimits limits) {

  /** Number of a field in the trees' FlatBuffers table, like the next five constants. */
  private static final int TREE_SPLITS = 1;

  private static final int TREE_SIZES = 2;
  private static final int TREE_STARTS = 3;
  private static final int LEAF_VALUES = 8;
  private static final int STEPS = 10;
  private static final int NODE_LEAVES = 11;

  /** Size in bytes of a node's two steps. A step is a child's number minus the node's number. */
  private static final int STEP_BYTES = 2 * Short.BYTES;

  void read() {
    Vector sizes = file.vector(table, TREE_SIZES, Integer.BYTES, "TreeSizes");
    Vector treeSplits = file.vector(table, TREE_SPLITS, Integer.BYTES, "TreeSplits");
    Vector leaves = file.vector(table, LEAF_VALUES, Double.BYTES, "LeafValues");
    Vector steps = file.vector(table, STEPS, STEP_BYTES, "NonSymmetricStepNodes");
    limits.check("trees", sizes.length(), Limit.TREES, table);
    if (steps.length() == 0) {
      readOblivious(sizes, treeSplits, leaves);
    } else {
      readNonSymmetric(sizes, treeSplits, leaves, steps);
    }
  }

  private void readOblivious(Vector sizes, Vector treeSplits, Vector leaves) {
    int split = 0;
    int leaf = 0;
    for (int tree = 0; tree < sizes.length(); tree++) {
      int at = sizes.first() + tree * Integer.BYTES;
      int depth = file.intAt(at, "TreeSizes");
      if (depth < 0 || depth > CatBoostTrees.MAX_DEPTH || depth > treeSplits.length() - split) {
        throw file.failure(
            at,
            "tree "
                + tree
                + ": found "
                + depth
                + " splits, expected 0.."
                + Math.min(CatBoostTrees.MAX_DEPTH, treeSplits.length() - split));
      }
      long values = (1L << depth) * outputs.count();
      if (values > leaves.length() - leaf) {
        throw file.failure(
            at,
            "tree "
                + tree
                + ": needs "
                + values
                + " leaf values, but only "
                + (leaves.length() - leaf)
                + " are left in the file");
      }
      readOblivious(
          at,
          depth,
          treeSplits.first() + split * Integer.BYTES,
          leaves.first() + leaf * Double.BYTES);
      split += depth;
      leaf += (int) values;
    }
    if (split != treeSplits.length() || leaf != leaves.length()) {
      throw file.failure(
          table,
          "after the last tree: found "
              + (treeSplits.length() - split)
              + " splits and "
              + (leaves.length() - leaf)
              + " leaf values, expected none");
    }
  }

  private void readOblivious(int offset, int depth, int firstSplit, int firstLeaf) {
    String place = "tree " + trees.size();
    int[] features = new int[depth];
    int[] values = new int[depth];
    for (int i = 0; i < depth; i++) {
      int split = split(firstSplit + i * Integer.BYTES, place);
      features[i] = splits.feature(split);
      values[i] = splits.value(split);
    }
    double[] leaves = new double[1 << depth];
    for (int leaf = 0; leaf < leaves.length; leaf++) {
      int value = leaf * outputs.count() + outputs.chosen();
      leaves[leaf] = file.doubleAt(firstLeaf + value * Double.BYTES, place);
    }
    trees.add(new CatBoostTrees.Oblivious(offset, features, values, leaves));
  }

  /** Reads a split's number, which {@link CatBoostBinaryFeatures} defines, at a byte offset. */
  private int split(int at, String place) {
    return file.index(at, place + ": split", file.intAt(at, place), splits.splits());
  }

  private void readNonSymmetric(Vector sizes, Vector treeSplits, Vector leaves, Vector steps) {
    Vector starts = file.vector(table, TREE_STARTS, Integer.BYTES, "TreeStartOffsets");
    Vector nodeLeaves =
        file.vector(table, NODE_LEAVES, Integer.BYTES, "NonSymmetricNodeIdToLeafId");
    if (starts.length() != sizes.length()
        || treeSplits.length() != steps.length()
        || nodeLeaves.length() != steps.length()) {
      throw file.failure(
          table,
          "found "
              + sizes.length()
              + " TreeSizes and "
              + starts.length()
              + " TreeStartOffsets, expected equal numbers; found "
              + steps.length()
              + " NonSymmetricStepNodes, "
              + treeSplits.length()
              + " TreeSplits and "
              + nodeLeaves.length()
              + " NonSymmetricNodeIdToLeafId, expected equal numbers");
    }
    Nodes nodes =
        new Nodes(
            treeSplits.first(), steps.first(), nodeLeaves.first(), leaves.first(), leaves.length());
    int node = 0;
    for (int tree = 0; tree < sizes.length(); tree++) {
      int at = sizes.first() + tree * Integer.BYTES;
      int size = file.intAt(at, "TreeSizes");
      int start = file.intAt(starts.first() + tree * Integer.BYTES, "TreeStartOffsets");
      if (size < 1 || size > steps.length() - node || start != node) {
        throw file.failure(
            at,
            "tree "
                + tree
                + ": found "
                + size
                + " nodes that start at node "
                + start
                + ", expected 1.."
                + (steps.length() - node)
                + " nodes that start at node "
                + node);
      }
      trees.add(readNonSymmetric(at, size, nodes.from(node)));
      node += size;
    }
    if (node != steps.length()) {
      throw file.failure(
          table, "after the last tree: found " + (steps.length() - node) + " nodes, expected none");
    }
  }

  /**
   * The byte offsets of one tree's data in the file.
   *
   * @param splits the offset of the first node's split
   * @param steps the offset of the first node's steps, which are the distances to its children
   * @param leaves the offset of the first node's index of a leaf value
   * @param values the offset of all leaf values
   * @param valueCount the number of all leaf values
   */
  private record Nodes(int splits, int steps, int leaves, int values, int valueCount) {
    Nodes from(int node) {
      return new Nodes(
          splits + node * Integer.BYTES,
          steps + node * STEP_BYTES,
          leaves + node * Integer.BYTES,
          values,
          valueCount);
    }
  }

  private CatBoostTrees.NonSymmetric readNonSymmetric(int offset, int size, Nodes from) {
    String place = "tree " + trees.size();
    int halves = 0;
    for (int node = 0; node < size; node++) {
      halves += (step(from, node, 0) == 0) == (step(from, node, 1) == 0) ? 0 : 1;
    }
    int[] features = new int[size + halves];
    int[] values = new int[size + halves];
    int[] left = new int[size + halves];
    int[] right = new int[size + halves];
    double[] leaves = new double[size + halves];
    // If one of a node's two steps is 0, its leaf becomes an additional node, with a number after
    // all other nodes.
    int next = size;
    for (int node = 0; node < size; node++) {
      int toLeft = step(from, node, 0);
      int toRight = step(from, node, 1);
      if (toLeft == 0 && toRight == 0) {
        left[node] = -1;
        leaves[node] = leaf(from, node, place);
        continue;
      }
      int split = split(from.splits + node * Integer.BYTES, place);
      features[node] = splits.feature(split);
      values[node] = splits.value(split);
      if (toLeft == 0 || toRight == 0) {
        left[next] = -1;
        leaves[next] = leaf(from, node, place);
      }
      left[node] = toLeft == 0 ? next : node + toLeft;
      right[node] = toRight == 0 ? next : node + toRight;
      next += toLeft == 0 || toRight == 0 ? 1 : 0;
      if (node + Math.max(toLeft, toRight) >= size) {
        throw file.failure(
            from.steps + node * STEP_BYTES,
            place
                + ", node "
                + node
                + ": its children are "
                + toLeft
                + " and "
                + toRight
                + " nodes ahead, expected at most "
                + (size - 1 - node));
      }
    }
    return new CatBoostTrees.NonSymmetric(offset, features, values, left, right, leaves);
  }

  private int step(Nodes from, int node, int side) {
    return file.shortAt(from.steps + node * STEP_BYTES + side * Short.BYTES, "steps");
  }

  private double leaf(Nodes from, int node, String place) {
    int at = from.leaves + node * Integer.BYTES;
    int end = from.valueCount - outputs.count() + 1;
    int leaf = file.index(at, place + ", node " + node + ": leaf", file.intAt(at, place), end);
    return file.doubleAt(from.values + (leaf + outputs.chosen()) * Double.BYTES, place);
  }
}
