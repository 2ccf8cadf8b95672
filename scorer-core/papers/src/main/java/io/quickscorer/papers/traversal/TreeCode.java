// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

/** The code of some trees. {@link CodeGenerator} generates the classes with this interface. */
interface TreeCode {
  /**
   * Finds the exit leaves of a tree for documents [from, to), and writes their values to {@code
   * leaves}, from index 0.
   *
   * @param tree number of the tree in this class, from 0
   * @param keys the documents' keys, in the layout of {@link OrderedColumns}
   */
  void exitLeaves(int tree, int[] keys, int stride, int from, int to, double[] leaves);
}
