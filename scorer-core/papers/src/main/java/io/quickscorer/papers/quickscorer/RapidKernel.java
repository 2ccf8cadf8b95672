// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.quickscorer;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.matrix.FeatureMatrix;

/** The loops of RapidScorer; a copy of their implementation exists per vector width. */
interface RapidKernel {
  /** Returns the number of documents that are scored together. */
  int lanes();

  /** Adds the exit leaves of a tree block to the sums of documents [from, to). */
  void add(
      RapidBlock block,
      FeatureMatrix matrix,
      int from,
      int to,
      RapidScratch scratch,
      Accumulator accumulator,
      double[] sums);
}
