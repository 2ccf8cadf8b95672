// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.engine.columns.RankColumns;
import io.quickscorer.matrix.FeatureMatrix;

/** The loops of the heavy-path scorer, for one document. Safe for several threads. */
public interface PathKernel {
  /** Ranks that are looked up by one permute. */
  int tableSize();

  /**
   * Writes a document's ranks in the numeric columns.
   *
   * @param ranks receives the rank in column c at {@code at + c}
   */
  void ranks(RankColumns columns, FeatureMatrix matrix, int document, byte[] ranks, int at);

  /**
   * Finds the light turns a document takes in the pieces of groups [from, end).
   *
   * @param ranks the document's ranks from index {@code at} on, padded to whole tables, at least
   *     two
   * @param turns receives for each piece, from index 0 on, the lanes of the light turns
   */
  void turns(PathProgram program, int from, int end, byte[] ranks, int at, long[] turns);
}
