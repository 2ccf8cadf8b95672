// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.engine.columns.LeafRange;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.scorer.CompileProgress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The splits of a block of trees in the order in which {@link GpuQuickScorer} reads them: sorted by
 * column, then by ascending threshold. So the splits whose test is false for a document (its false
 * nodes) come first in each column's list.
 */
final class FalseNodeLists {
  /**
   * Maximum size of a stored mask, in 32-bit words; larger masks are stored as ranges of leaves.
   */
  static final int STORED_WORDS = 2;

  /**
   * A split, and the leaves that it clears (excludes) if its test is false.
   *
   * @param column the index of the column that the split tests
   * @param threshold the threshold of the split; 0 for a categorical split
   * @param tree the index of the split's tree in the block
   * @param cleared the leaves that the split clears
   */
  private record Entry(int column, float threshold, int tree, LeafRange cleared) {}

  private final List<SplitColumns.Column> columns = new ArrayList<>();
  private final Entry[] entries;
  private final LeafSum sum;
  private final ByteBuffer leaves;
  private final int words;

  /**
   * Sorts the splits of a block of trees by column and threshold.
   *
   * @param all the columns of the whole ensemble
   * @param sum how leaf values are added, which determines their format
   * @param leavesPerTree number of leaves of the ensemble's largest tree
   */
  FalseNodeLists(
      List<Tree> trees,
      SplitColumns all,
      LeafSum sum,
      int leavesPerTree,
      CompileProgress progress) {
    this.words = words(leavesPerTree);
    this.sum = sum;
    this.leaves = SplitColumns.direct((long) trees.size() * leavesPerTree * sum.valueBytes());
    List<Entry> list = new ArrayList<>();
    for (int t = 0; t < trees.size(); t++) {
      progress.report(t, trees.size());
      addTree(trees.get(t), t, all, list);
      putLeaves(trees.get(t), t * leavesPerTree);
    }
    this.entries = list.toArray(Entry[]::new);
    // The sort is stable, so splits with equal thresholds stay in tree order.
    Arrays.sort(
        entries,
        (a, b) ->
            a.column != b.column
                ? Integer.compare(a.column, b.column)
                : Float.compare(a.threshold, b.threshold));
    addColumns(all.columns());
  }

  /** Returns the number of 32-bit words of a tree's bitvector, which has one bit per leaf. */
  static int words(int leavesPerTree) {
    return (leavesPerTree + 31) / 32;
  }

  private static void addTree(Tree tree, int number, SplitColumns all, List<Entry> list) {
    // If the test of a split is false, the document cannot reach the leaves on the left of the
    // split.
    LeafRange[] left = LeafRange.leftOf(tree);
    for (int split = 0; split < tree.splits(); split++) {
      CategorySet set = tree.categories(split);
      float threshold = set == null ? tree.threshold(split) : 0;
      list.add(new Entry(all.column(tree, split), threshold, number, left[split]));
    }
  }

  private void putLeaves(Tree tree, int at) {
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      sum.put(leaves, at + leaf, tree.leafValue(leaf));
    }
  }

  private void addColumns(List<SplitColumns.Column> all) {
    for (int from = 0, to; from < entries.length; from = to) {
      to = from;
      while (to < entries.length && entries[to].column == entries[from].column) {
        to++;
      }
      float[] thresholds = new float[to - from];
      for (int i = from; i < to; i++) {
        thresholds[i - from] = entries[i].threshold;
      }
      SplitColumns.Column column = all.get(entries[from].column);
      columns.add(new SplitColumns.Column(column.row(), column.rule(), column.set(), thresholds));
    }
  }

  /** Returns the columns that the block tests, each with the thresholds of the block's splits. */
  List<SplitColumns.Column> columns() {
    return columns;
  }

  int splits() {
    return entries.length;
  }

  /**
   * Returns the masks of all splits: word 0 of every mask, then word 1 of every mask, and so on.
   * The bits of cleared leaves are 0. If masks exceed {@link #STORED_WORDS}, returns one int per
   * split instead: its first cleared leaf in the lower 16 bits, the end of its cleared leaves in
   * the upper 16 bits.
   */
  ByteBuffer packMasks() {
    ByteBuffer packed =
        SplitColumns.direct(
            (long) entries.length * Integer.BYTES * (words <= STORED_WORDS ? words : 1));
    if (words > STORED_WORDS) {
      for (Entry entry : entries) {
        packed.putInt(entry.cleared.first() | entry.cleared.end() << 16);
      }
      return packed.flip();
    }
    for (int word = 0; word < words; word++) {
      for (Entry entry : entries) {
        packed.putInt((int) (entry.cleared.clearing(0, Long.SIZE) >>> (32 * word)));
      }
    }
    return packed.flip();
  }

  /** Returns, for each split, the index of its tree in the block, as 16-bit integers. */
  ByteBuffer packTrees() {
    ByteBuffer packed = SplitColumns.direct((long) entries.length * Short.BYTES);
    for (Entry entry : entries) {
      packed.putShort((short) entry.tree);
    }
    return packed.flip();
  }

  /** Returns the leaf values of the block: {@code leavesPerTree} values for each tree. */
  ByteBuffer packLeaves() {
    return leaves;
  }
}
