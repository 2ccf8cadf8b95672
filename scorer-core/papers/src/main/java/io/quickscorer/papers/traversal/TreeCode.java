// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

/**
 * Some trees of an ensemble as compiled code; implemented by the classes of {@link CodeGenerator}.
 */
interface TreeCode {
  /**
   * Writes the exit leaves' values of documents [from, to) to {@code leaves[0 .. to - from)}.
   *
   * @param tree counted from the first one of this class
   * @param keys see {@link OrderedColumns}
   */
  void exitLeaves(int tree, int[] keys, int stride, int from, int to, double[] leaves);
}
