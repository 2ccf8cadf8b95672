// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.engine.columns.ObliviousLevels;
import io.quickscorer.engine.columns.SplitTable;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;

/**
 * The layout of a node's 32 bits in the quantised traversal, for all trees of a model.
 *
 * <p>The fields, from the highest bit: threshold, column, left child. The two children of a split
 * are neighbours, the left one first; the child field holds their byte offset in the tree, a
 * multiple of 8. A document's ranks are shifted to the threshold field, with zeros below it, so a
 * comparison of whole words compares thresholds. The threshold field holds the threshold's rank
 * plus 1, so the field 0 is below every rank, and the field with all bits set is above every rank.
 * With one of these two values, a leaf leads to itself for every document.
 *
 * <p>If all trees are oblivious, a node represents a level and has no child. The threshold field
 * then holds the complement, so its sum with a greater rank overflows.
 *
 * @param oblivious whether nodes represent levels of oblivious trees
 * @param treeBytes size of a tree's nodes in bytes, a power of two
 * @param columnPosition lowest bit of the column's number
 * @param thresholdPosition lowest bit of the threshold
 */
record NodeLayout(boolean oblivious, int treeBytes, int columnPosition, int thresholdPosition) {
  /** Number of bytes of the two children of a split. */
  static final int PAIR_BYTES = 8;

  private static final int MIN_TREE_BYTES = 16;
  private static final int MAX_LEAVES = 1 << 14;
  private static final int MIN_THRESHOLD_BITS = 2;

  /** A layout, and the columns for which it was computed. */
  record WithColumns(NodeLayout layout, SplitColumns columns) {}

  /**
   * Computes a layout for an ensemble.
   *
   * @throws UnsupportedEnsembleException if the fields do not fit into 32 bits
   */
  static WithColumns of(TreeEnsemble ensemble, CompileProgress progress) {
    int leaves = ensemble.shape().maxLeaves();
    if (leaves > MAX_LEAVES) {
      throw new UnsupportedEnsembleException(
          Algorithm.GPU + ": a tree has " + leaves + " leaves, expected at most " + MAX_LEAVES);
    }
    boolean oblivious =
        ensemble.trees().stream().allMatch(tree -> ObliviousLevels.of(tree) != null);
    int levels = Integer.SIZE - Integer.numberOfLeadingZeros(leaves - 1);
    int treeBytes = MIN_TREE_BYTES;
    while (treeBytes < (oblivious ? levels * Integer.BYTES : leaves * PAIR_BYTES)) {
      treeBytes *= 2;
    }
    int columnPosition = WalkPlan.columnPosition(treeBytes);
    SplitTable splits = new SplitTable(ensemble.trees(), ensemble.featureNames().size(), progress);
    // With fewer bits for thresholds, columns are divided into more parts, which may need more bits
    // for the column.
    for (int columnBits = 0; ; columnBits++) {
      int thresholdPosition = columnPosition + columnBits;
      if (32 - thresholdPosition < MIN_THRESHOLD_BITS) {
        throw new UnsupportedEnsembleException(
            Algorithm.GPU
                + ": the model has too many features or thresholds for trees of "
                + leaves
                + " leaves");
      }
      NodeLayout layout = new NodeLayout(oblivious, treeBytes, columnPosition, thresholdPosition);
      if (ensemble.shape().usedFeatures() <= 1L << columnBits) {
        SplitColumns columns = new SplitColumns(splits, layout.maxThresholds());
        if (columns.columns().size() <= 1L << columnBits) {
          return new WithColumns(layout, columns);
        }
      }
    }
  }

  /**
   * Returns the maximum number of thresholds of a column. The largest rank plus 1 must be less than
   * the greatest value of the threshold field.
   */
  int maxThresholds() {
    int bits = 32 - thresholdPosition;
    return bits > 30 ? Integer.MAX_VALUE : (1 << bits) - 2;
  }

  int columnMask() {
    return (1 << (thresholdPosition - columnPosition)) - 1;
  }

  int childMask() {
    return treeBytes - PAIR_BYTES;
  }

  /**
   * Returns the word for a node that is a split.
   *
   * @param threshold the index of the threshold in its column
   * @param column the number of the column
   * @param childOffset byte offset of the split's children
   */
  int split(int threshold, int column, int childOffset) {
    return (threshold + 1) << thresholdPosition | column << columnPosition | childOffset;
  }

  /** Returns the word for a node that represents a level of an oblivious tree. */
  int level(int threshold, int column) {
    return ~(threshold + 1) << thresholdPosition | column << columnPosition;
  }

  /**
   * Returns the word for a leaf that is the left child of a pair. It sends every rank left, which
   * is to itself.
   */
  int leftLeaf(int pairOffset) {
    return -1 << thresholdPosition | pairOffset;
  }

  /**
   * Returns the word for a leaf that is the right child of a pair. It sends every rank right, which
   * is to itself.
   */
  int rightLeaf(int pairOffset) {
    return pairOffset;
  }
}
