// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.compile.SampleDocuments;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;

/** A linear estimate of the time of a call: a fixed part, and a part for each document. */
record AffineCostModel(double fixedNanos, double nanosPerDocument) {
  private static final int FEW = 32;

  /** Number of documents in the larger one of the two timed batches. */
  static final int MANY = 512;

  /** Minimum number of timed runs. The fastest one counts, because the first runs fill caches. */
  private static final int MIN_RUNS = 5;

  private static final long MEASURED_NANOS = 50_000_000;

  double nanos(int documents) {
    return fixedNanos + nanosPerDocument * documents;
  }

  /**
   * Returns from how many documents on this scorer is cheaper than {@code other}. The other scorer
   * must be more expensive per document.
   */
  int cheaperFrom(AffineCostModel other) {
    double saved = other.nanosPerDocument - nanosPerDocument;
    double head = fixedNanos - other.fixedNanos;
    return head < 0 || saved <= 0 ? 1 : (int) (head / saved) + 1;
  }

  /** Measures a scorer's time for two batch sizes. The documents are made from the thresholds. */
  static AffineCostModel measure(EnsembleScorer scorer) {
    Scratch scratch = scorer.newScratch();
    double few = fastest(scorer, scratch, FEW);
    double many = fastest(scorer, scratch, MANY);
    return through(FEW, few, MANY, many);
  }

  /** Returns the linear function through two measurements. A negative coefficient becomes 0. */
  static AffineCostModel through(int few, double fewNanos, int many, double manyNanos) {
    double slope = Math.max(0, (manyNanos - fewNanos) / (many - few));
    return new AffineCostModel(Math.max(0, fewNanos - slope * few), slope);
  }

  private static double fastest(EnsembleScorer scorer, Scratch scratch, int documents) {
    FeatureMatrix matrix = SampleDocuments.of(scorer.ensemble(), documents);
    double[] scores = new double[documents];
    long minimum = Long.MAX_VALUE;
    long spent = 0;
    for (int run = 0; run < MIN_RUNS || spent < MEASURED_NANOS; run++) {
      long start = System.nanoTime();
      scorer.score(matrix, scratch, scores);
      long time = System.nanoTime() - start;
      minimum = Math.min(minimum, time);
      spent += time;
    }
    return minimum;
  }
}
