// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

/** What {@link CodeGenerator} implements: some of an ensemble's trees as compiled code. */
interface TreeCode {
  /**
   * Writes the exit leaves' values of documents [from, to) to {@code leaves[0 .. to - from)}.
   *
   * @param tree counted from the first one of this class
   * @param keys see {@link OrderedColumns}
   */
  void exitLeaves(int tree, int[] keys, int stride, int from, int to, double[] leaves);
}
