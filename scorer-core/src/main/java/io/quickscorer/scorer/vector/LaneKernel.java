package io.quickscorer.scorer.vector;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.matrix.FeatureMatrix;

/** The loops of vQS for one width of masks; a copy exists per width of vectors. */
interface LaneKernel {
  /** Documents scored together. */
  int lanes();

  /** Buffers for tree blocks of up to this many trees. */
  LaneScratch newScratch(int trees);

  /**
   * Adds the exit leaves of a tree block to the documents' sums.
   *
   * @param sums one per document, the sums so far
   */
  void add(
      LaneBlock block,
      FeatureMatrix matrix,
      LaneScratch scratch,
      Accumulator accumulator,
      double[] sums);
}
