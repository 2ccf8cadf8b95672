// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

/** The walk of {@link GatherScorer}; a copy of its implementation exists per vector width. */
interface GatherKernel {
  int lanes();

  /**
   * Walks one tree with one document per lane.
   *
   * @param keys see {@link io.quickscorer.papers.traversal.OrderedColumns}
   * @param first the first document
   * @param nodes receives the exit leaves' nodes; twice as many elements as lanes
   */
  void walk(LoopedTrees trees, int tree, int[] keys, int stride, int first, int[] nodes);
}
