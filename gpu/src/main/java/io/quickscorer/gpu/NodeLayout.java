// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.engine.columns.ObliviousLevels;
import io.quickscorer.engine.columns.SplitTable;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;

/**
 * The bits of a node of the quantised traversal, and the columns that fit them.
 *
 * <p>From the top: threshold, column, left child; the two children of a split are neighbours, the
 * left one first, and the field holds their byte offset in the tree, a multiple of 8. Ranks are
 * stored with zeros below the threshold's field, so comparing whole words compares thresholds.
 * Within the field a rank is stored one higher: 0 is below every rank and all ones above, which
 * makes a leaf a node that leads to itself.
 *
 * <p>If all trees are oblivious, a node is a level: the threshold's field holds the complement, so
 * that its sum with a greater rank overflows, and there is no child.
 *
 * @param oblivious whether nodes are levels
 * @param treeBytes bytes of a tree's nodes, a power of two
 * @param columnPosition lowest bit of the column's number
 * @param thresholdPosition lowest bit of the threshold
 */
record NodeLayout(boolean oblivious, int treeBytes, int columnPosition, int thresholdPosition) {
  /** Bytes of two children. */
  static final int PAIR_BYTES = 8;

  private static final int MIN_TREE_BYTES = 16;
  private static final int MAX_LEAVES = 1 << 14;
  private static final int MIN_THRESHOLD_BITS = 2;

  /** The layout together with the columns it was made for. */
  record WithColumns(NodeLayout layout, SplitColumns columns) {}

  /**
   * @throws UnsupportedEnsembleException if trees or columns are too many bits
   */
  static WithColumns of(TreeEnsemble ensemble, CompileProgress progress) {
    int leaves = ensemble.shape().maxLeaves();
    if (leaves > MAX_LEAVES) {
      throw new UnsupportedEnsembleException(
          Algorithm.GPU + ": a tree has " + leaves + " leaves, at most " + MAX_LEAVES);
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
    // Fewer threshold bits cut columns into more pieces, which takes more column bits, and so on.
    for (int columnBits = 0; ; columnBits++) {
      int thresholdPosition = columnPosition + columnBits;
      if (32 - thresholdPosition < MIN_THRESHOLD_BITS) {
        throw new UnsupportedEnsembleException(
            Algorithm.GPU + ": the model has too many columns for trees of " + leaves + " leaves");
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
   * Returns the maximum number of thresholds of a column, so that ranks 1 to thresholds + 1 are
   * less than all ones.
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
   * Packs a split.
   *
   * @param childOffset byte offset of its children
   */
  int split(int threshold, int column, int childOffset) {
    return (threshold + 1) << thresholdPosition | column << columnPosition | childOffset;
  }

  /** Packs a level of an oblivious tree. */
  int level(int threshold, int column) {
    return ~(threshold + 1) << thresholdPosition | column << columnPosition;
  }

  /** Returns a leaf at the left in the pair at an offset: goes left whatever the rank. */
  int leftLeaf(int pairOffset) {
    return -1 << thresholdPosition | pairOffset;
  }

  /** Returns a leaf at the right in the pair at an offset: goes right whatever the rank. */
  int rightLeaf(int pairOffset) {
    return pairOffset;
  }
}
