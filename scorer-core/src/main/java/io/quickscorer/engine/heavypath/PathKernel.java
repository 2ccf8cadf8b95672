// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.matrix.FeatureMatrix;

/** The loops of the heavy-path scorer, for one or two documents. Safe for several threads. */
interface PathKernel {
  /** Ranks that are looked up by one permute. */
  int tableSize();

  /** Writes the ranks of documents [from, to) in the numeric columns. */
  void ranks(RankColumns columns, FeatureMatrix matrix, int from, int to, RankRows rows);

  /**
   * Finds the light turns a document takes in the pieces of groups [from, end); of oblivious trees
   * the outcomes.
   *
   * @param ranks the document's ranks from index {@code at} on, padded to whole tables, at least
   *     two
   * @param turns receives for each piece, from index 0 on, the lanes of the light turns
   */
  void turns(PathProgram program, int from, int end, byte[] ranks, int at, long[] turns);

  /**
   * Computes the turns of two documents; a piece is read once for both if that is faster.
   *
   * @param ranks the first document's ranks from index {@code at} on, the second's after its padded
   *     tables
   * @param turns receives the first document's from index 0 on, then the second's
   */
  void turnsOfTwo(PathProgram program, int from, int end, byte[] ranks, int at, long[] turns);
}
