// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

/** The generated code of some trees. {@link CodeGenerator} generates classes of this type. */
interface TreeCode {
  /**
   * Finds the leaves that documents [from, to) reach in a tree. Writes their values to {@code
   * leaves}, from index 0.
   *
   * @param tree index of the tree among the trees of the generated class
   * @param keys the documents' keys, in the layout of {@link OrderedColumns}
   * @param stride number of elements of {@code keys} per column
   */
  void exitLeaves(int tree, int[] keys, int stride, int from, int to, double[] leaves);
}
