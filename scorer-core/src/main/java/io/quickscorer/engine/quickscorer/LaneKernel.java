// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.matrix.FeatureMatrix;

/** The loops of vQS; a copy of their implementation exists per vector width. */
interface LaneKernel {
  /** Returns the number of documents that are scored together. */
  int lanes();

  /**
   * Adds the exit leaves of a tree block to the sums of documents [from, to).
   *
   * @param sums one per document, the sums so far
   */
  void add(
      LaneBlock block,
      FeatureMatrix matrix,
      int from,
      int to,
      LaneScratch scratch,
      Accumulator accumulator,
      double[] sums);
}
