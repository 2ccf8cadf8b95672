// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

/** The inner loops of {@link GatherScorer}, implemented separately for each vector width. */
interface GatherKernel {
  /** Returns the number of documents that are processed together: one per vector lane (part). */
  int lanes();

  /**
   * Follows one tree from its root, with one document per vector lane.
   *
   * @param keys the documents' keys, in the layout of {@link OrderedColumns}
   * @param stride number of elements of {@code keys} per column
   * @param first index of the first document
   * @param nodes receives, for each document, the index of the leaf that it reaches; must have
   *     twice as many elements as lanes, because the second half is a buffer
   */
  void walk(LoopedTrees trees, int tree, int[] keys, int stride, int first, int[] nodes);
}
