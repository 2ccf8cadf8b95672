// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.matrix.FeatureMatrix;

/**
 * The inner loops of {@link VectorQuickScorer}, with a separate implementation for each vector
 * width.
 */
interface LaneKernel {
  /** Returns the number of documents that are scored together: one per lane (part) of a vector. */
  int lanes();

  /** Adds the leaf values of a block of trees to the sums of documents [from, to). */
  void add(
      LaneBlock block,
      FeatureMatrix matrix,
      int from,
      int to,
      LaneScratch scratch,
      Accumulator accumulator,
      double[] sums);
}
