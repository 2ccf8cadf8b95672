// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.matrix.FeatureMatrix;

/**
 * The loops of the heavy-path scorer, for one or two documents. Safe for use by several threads.
 */
interface PathKernel {
  /** Returns the number of ranks in a table, which one permute looks up. */
  int tableSize();

  /** Computes the ranks of documents [from, to) in the numeric columns. */
  void ranks(RankColumns columns, FeatureMatrix matrix, int from, int to, RankRows rows);

  /**
   * Finds the light turns (see {@link TreePieces}) of a document's path in each piece of the groups
   * [from, end). For oblivious trees, finds the results of the levels instead.
   *
   * @param ranks contains the document's ranks from index {@code at} on, padded to whole tables, at
   *     least two
   * @param turns receives the lanes of the light turns, one word for each piece, from index 0 on
   */
  void turns(PathProgram program, int from, int end, byte[] ranks, int at, long[] turns);

  /** Does the work of {@link #turns} for two documents, whose ranks and turns follow each other. */
  void turnsOfTwo(PathProgram program, int from, int end, byte[] ranks, int at, long[] turns);
}
