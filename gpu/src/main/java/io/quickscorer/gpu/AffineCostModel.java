// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.compile.SampleDocuments;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;

/**
 * The cost of a call of a scorer: a fixed part (launches, latency of transfers) and a part per
 * document (its trees, its share of the transfer).
 *
 * @param fixedNanos 0 or more
 * @param nanosPerDocument 0 or more
 */
record AffineCostModel(double fixedNanos, double nanosPerDocument) {
  private static final int FEW = 32;

  /** Documents of the larger batch that is timed. */
  static final int MANY = 512;

  /** The first runs warm caches and compilers up; the least of all is the machine undisturbed. */
  private static final int MIN_RUNS = 5;

  private static final long MEASURED_NANOS = 50_000_000;

  double nanos(int documents) {
    return fixedNanos + nanosPerDocument * documents;
  }

  /**
   * Returns the least number of documents, 1 or more, from which this is cheaper.
   *
   * @param other is more expensive than this for many documents
   */
  int cheaperFrom(AffineCostModel other) {
    double saved = other.nanosPerDocument - nanosPerDocument;
    double head = fixedNanos - other.fixedNanos;
    return head < 0 || saved <= 0 ? 1 : (int) (head / saved) + 1;
  }

  /**
   * Times a scorer on two batches derived from the ensemble's thresholds, and returns the line
   * through both times.
   */
  static AffineCostModel measure(EnsembleScorer scorer) {
    Scratch scratch = scorer.newScratch();
    double few = fastest(scorer, scratch, FEW);
    double many = fastest(scorer, scratch, MANY);
    return through(FEW, few, MANY, many);
  }

  /** Returns the line through two measurements; neither of its parts is negative. */
  static AffineCostModel through(int few, double fewNanos, int many, double manyNanos) {
    double slope = Math.max(0, (manyNanos - fewNanos) / (many - few));
    return new AffineCostModel(Math.max(0, fewNanos - slope * few), slope);
  }

  private static double fastest(EnsembleScorer scorer, Scratch scratch, int documents) {
    FeatureMatrix matrix = SampleDocuments.of(scorer.ensemble(), documents);
    double[] scores = new double[documents];
    long least = Long.MAX_VALUE;
    long spent = 0;
    for (int run = 0; run < MIN_RUNS || spent < MEASURED_NANOS; run++) {
      long start = System.nanoTime();
      scorer.score(matrix, scratch, scores);
      long time = System.nanoTime() - start;
      least = Math.min(least, time);
      spent += time;
    }
    return least;
  }
}
