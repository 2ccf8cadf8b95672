// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.matrix.FeatureMatrix;

/** The inner loops of the heavy-path scorer. Safe for use by several threads. */
interface PathKernel {
  /** Returns the number of ranks (bytes) from which one instruction can select. */
  int tableSize();

  /**
   * Computes the ranks of documents [from, to) in the numeric columns. A rank is the number of a
   * column's thresholds below the value.
   */
  void ranks(RankColumns columns, FeatureMatrix matrix, int from, int to, RankRows rows);

  /**
   * Finds where a document's path goes to the lighter child (see {@link TreePieces}), in each piece
   * (part of a tree) of the groups [from, end). For oblivious trees, finds the test results of the
   * levels instead.
   *
   * @param ranks contains the document's ranks from index {@code at} on, padded to whole tables, at
   *     least two
   * @param turns receives one word for each piece, from index 0 on; a bit is 1 if the path goes to
   *     the lighter child at the bit's split
   */
  void turns(PathProgram program, int from, int end, byte[] ranks, int at, long[] turns);

  /**
   * Does the work of {@link #turns} for two documents. In {@code ranks} and in {@code turns}, the
   * elements of the second document follow those of the first.
   */
  void turnsOfTwo(PathProgram program, int from, int end, byte[] ranks, int at, long[] turns);
}
