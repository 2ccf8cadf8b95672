// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.quickscorer;

import io.quickscorer.engine.quickscorer.FalseNodes;
import java.util.Arrays;

/**
 * A tree block of 8-bit words in which equal tests are one: the numeric entries of a column that
 * share a threshold, whatever their trees, form a group, whose threshold is compared once.
 *
 * @param falseNodes the block; its entries are the epitomes, the bytes of a mask that are not ones
 * @param groupStarts per column, where its groups start, and one more
 * @param thresholds per group, ascending within a column, +infinity in the end
 * @param entryStarts per group, where its entries start, and one more
 */
record RapidBlock(FalseNodes falseNodes, int[] groupStarts, float[] thresholds, int[] entryStarts) {

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

  long bytes() {
    return falseNodes.bytes() + 4L * groupStarts.length + 8L * thresholds.length;
  }
}
