// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.matrix.FeatureMatrix;

/**
 * The inner loops of {@link VectorQuickScorer}. Each vector width has its own copy of the class.
 */
interface LaneKernel {
  /** Returns the number of documents that are scored together, one per vector lane. */
  int lanes();

  /** Adds the exit leaves of a block of trees to the sums of documents [from, to). */
  void add(
      LaneBlock block,
      FeatureMatrix matrix,
      int from,
      int to,
      LaneScratch scratch,
      Accumulator accumulator,
      double[] sums);
}
