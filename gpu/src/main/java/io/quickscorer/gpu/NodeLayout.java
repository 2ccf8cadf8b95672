// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.engine.columns.ObliviousLevels;
import io.quickscorer.engine.columns.SplitTable;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;

/**
 * The bits of a tree node (a 32-bit word) for {@link GpuTraversalScorer}.
 *
 * <p>A word has three fields, from the highest bit: threshold, column, left child. The children of
 * a split are neighbours, the left one first; the child field holds their byte offset in the tree.
 * The threshold field holds 1 plus the threshold's index in its column. A leaf leads to itself: its
 * threshold field is 0 (every rank goes right) or all ones (every rank goes left).
 *
 * <p>In an oblivious tree, where all splits of a level are equal, a node represents a level and has
 * no child. Its threshold field holds the bitwise complement of (index + 1). If a document goes
 * right, the sum of this field and (rank + 1) overflows.
 *
 * @param oblivious whether nodes represent levels
 * @param treeBytes size of a tree's nodes in bytes, a power of two
 * @param columnPosition index of the lowest bit of the column field
 * @param thresholdPosition index of the lowest bit of the threshold field
 */
record NodeLayout(boolean oblivious, int treeBytes, int columnPosition, int thresholdPosition) {
  /** Size of the two children of a split together, in bytes. */
  static final int PAIR_BYTES = 8;

  private static final int MIN_TREE_BYTES = 16;
  private static final int MAX_LEAVES = 1 << 14;
  private static final int MIN_THRESHOLD_BITS = 2;

  /** The layout of an ensemble's nodes, and the columns to which the nodes refer. */
  record WithColumns(NodeLayout layout, SplitColumns columns) {}

  /**
   * Computes the layout of an ensemble's nodes.
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
    // With fewer bits for thresholds, there are more columns, whose numbers may need more bits.
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

  /** Returns the maximum number of thresholds for which the threshold field has enough bits. */
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
   * Returns the 32-bit word of a split.
   *
   * @param threshold the index of the threshold in its column
   * @param column the index of the column
   * @param childOffset byte offset, in the tree, of the split's two children
   */
  int split(int threshold, int column, int childOffset) {
    return (threshold + 1) << thresholdPosition | column << columnPosition | childOffset;
  }

  /**
   * Returns the 32-bit word of a level of an oblivious tree, in which all splits of a level are
   * equal.
   *
   * @param threshold the index of the threshold in its column
   * @param column the index of the column
   */
  int level(int threshold, int column) {
    return ~(threshold + 1) << thresholdPosition | column << columnPosition;
  }

  /**
   * Returns the 32-bit word of a leaf that is a left child. In this node, every rank goes left, so
   * the document stays at the leaf.
   *
   * @param pairOffset byte offset, in the tree, of the leaf and its sibling
   */
  int leftLeaf(int pairOffset) {
    return -1 << thresholdPosition | pairOffset;
  }

  /**
   * Returns the 32-bit word of a leaf that is a right child. In this node, every rank goes right.
   * The right child is the leaf itself, so the document stays at the leaf.
   *
   * @param pairOffset byte offset, in the tree, of the leaf and its sibling
   */
  int rightLeaf(int pairOffset) {
    return pairOffset;
  }
}
