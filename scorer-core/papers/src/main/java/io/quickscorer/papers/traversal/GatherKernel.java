// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

/** The inner loops of {@link GatherScorer}. Each vector width has its own copy of the class. */
interface GatherKernel {
  /** Returns the number of documents that walk a tree together, one per vector lane. */
  int lanes();

  /**
   * Walks one tree with one document per vector lane.
   *
   * @param keys the documents' keys, in the layout of {@link OrderedColumns}
   * @param stride distance between two columns of keys
   * @param first index of the first document
   * @param nodes receives the node of each document's exit leaf; must have twice as many elements
   *     as lanes
   */
  void walk(LoopedTrees trees, int tree, int[] keys, int stride, int first, int[] nodes);
}
