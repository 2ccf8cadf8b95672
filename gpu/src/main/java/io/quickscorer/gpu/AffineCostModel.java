// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.compile.SampleDocuments;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;

/**
 * An estimate of the time of a scorer's call. It is linear in the number of documents.
 *
 * @param fixedNanos the time that does not depend on the number of documents, in ns
 * @param nanosPerDocument the additional time of each document, in ns
 */
record AffineCostModel(double fixedNanos, double nanosPerDocument) {
  private static final int FEW = 32;

  /** Number of documents in the larger of the two batches that are timed. */
  static final int MANY = 512;

  /** Minimum number of timed runs. The shortest time is used; the first runs fill caches. */
  private static final int MIN_RUNS = 5;

  private static final long MEASURED_NANOS = 50_000_000;

  double nanos(int documents) {
    return fixedNanos + nanosPerDocument * documents;
  }

  /**
   * Returns the smallest number of documents from which this scorer is cheaper than {@code other},
   * which must be more expensive per document.
   */
  int cheaperFrom(AffineCostModel other) {
    double saved = other.nanosPerDocument - nanosPerDocument;
    double head = fixedNanos - other.fixedNanos;
    return head < 0 || saved <= 0 ? 1 : (int) (head / saved) + 1;
  }

  /** Measures a scorer for two batch sizes, with thresholds of the model as feature values. */
  static AffineCostModel measure(EnsembleScorer scorer) {
    Scratch scratch = scorer.newScratch();
    double few = fastest(scorer, scratch, FEW);
    double many = fastest(scorer, scratch, MANY);
    return through(FEW, few, MANY, many);
  }

  /**
   * Returns the linear function through two measurements. Negative coefficients are replaced by 0.
   *
   * @param few number of documents of the first measurement
   * @param fewNanos time of the first measurement, in ns
   * @param many number of documents of the second measurement
   * @param manyNanos time of the second measurement, in ns
   */
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
