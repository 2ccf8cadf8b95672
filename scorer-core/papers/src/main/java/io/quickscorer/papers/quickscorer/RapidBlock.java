// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.quickscorer;

import io.quickscorer.engine.quickscorer.FalseNodes;
import io.quickscorer.engine.quickscorer.TreeBlockScorer;
import java.util.Arrays;

/**
 * A block of trees with bitvectors of 8-bit words. An entry is one byte of a test's mask. Only
 * bytes with a 0 bit become entries; the entries of one mask are the paper's epitome. Entries with
 * the same column and threshold form a group, which needs one comparison.
 *
 * @param falseNodes the trees and the entries
 * @param groupStarts for each column, the index of its first group; the last element is the number
 *     of groups
 * @param thresholds for each group, its threshold; ascending within a column, and the last one of a
 *     column is +infinity
 * @param entryStarts for each group, the index of its first entry; the last element is the number
 *     of entries
 */
record RapidBlock(FalseNodes falseNodes, int[] groupStarts, float[] thresholds, int[] entryStarts)
    implements TreeBlockScorer.Block {

  static RapidBlock of(FalseNodes nodes) {
    int[] listStarts = nodes.numeric().starts();
    float[] all = nodes.thresholds();
    int[] groupStarts = new int[nodes.columns() + 1];
    float[] thresholds = new float[all.length];
    int[] entryStarts = new int[all.length + 1];
    int groups = 0;
    for (int c = 0; c < nodes.columns(); c++) {
      groupStarts[c] = groups;
      for (int i = listStarts[c]; i < listStarts[c + 1]; i++) {
        if (i == listStarts[c] || all[i] != all[i - 1]) {
          thresholds[groups] = all[i];
          entryStarts[groups++] = i;
        }
      }
    }
    groupStarts[nodes.columns()] = groups;
    entryStarts[groups] = all.length;
    return new RapidBlock(
        nodes,
        groupStarts,
        Arrays.copyOf(thresholds, groups),
        Arrays.copyOf(entryStarts, groups + 1));
  }

  @Override
  public long bytes() {
    return falseNodes.bytes() + 4L * groupStarts.length + 8L * thresholds.length;
  }
}
