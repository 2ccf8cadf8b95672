// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.verify;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.opensearch.core.common.breaker.CircuitBreaker;

/**
 * Some documents of a batch, one after the other, and the raw scores they were given. Holds its
 * memory until it is closed.
 *
 * @param engine that scored the batch
 * @param batch how many documents the batch had
 * @param from the document of the batch that is document 0 here
 * @param matrix one column per feature of the ensemble, in its order
 */
@SuppressWarnings("ArrayRecordComponent") // never compared: the array is the point
record Sample(
    ModelId id,
    Algorithm engine,
    int batch,
    int from,
    FeatureMatrix matrix,
    double[] scores,
    MemoryCharge memory)
    implements AutoCloseable {
  private static final int MAX_DOCUMENTS = 1 << 10;

  /** Documents times trees: what the reference takes less than a tenth of a second for. */
  private static final int MAX_WORK = 1 << 18;

  /** Documents times features: 4 MiB. */
  private static final int MAX_VALUES = 1 << 20;

  /**
   * Copies a batch, or as much of it as is verified at once, from a random place.
   *
   * @param trees of the ensemble
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException if there is no memory for
   *     it; nothing is held then
   */
  static Sample copy(
      CircuitBreaker breaker,
      ModelId id,
      Algorithm engine,
      int trees,
      FeatureMatrix matrix,
      double[] scores,
      RandomGenerator random) {
    int batch = matrix.documents();
    int count = count(batch, trees, matrix.features());
    int from = random.nextInt(batch - count + 1);
    long bytes =
        FeatureMatrix.cells(matrix.features(), count) * Float.BYTES + (long) count * Double.BYTES;
    MemoryCharge memory = MemoryCharge.take(breaker, bytes, "<verification of a model's scores>");
    boolean done = false;
    try {
      FeatureMatrix some = new FeatureMatrix(matrix.features(), count);
      some.setFrom(matrix, from, count);
      Sample sample =
          new Sample(
              id,
              engine,
              batch,
              from,
              some,
              Arrays.copyOfRange(scores, from, from + count),
              memory);
      done = true;
      return sample;
    } finally {
      if (!done) {
        memory.close();
      }
    }
  }

  private static int count(int batch, int trees, int features) {
    int max = Math.min(MAX_WORK / Math.max(1, trees), MAX_VALUES / Math.max(1, features));
    return Math.min(batch, Math.clamp(max, 1, MAX_DOCUMENTS));
  }

  /** Returns a scorer's scores for the documents. */
  double[] scoredBy(EnsembleScorer scorer) {
    double[] again = new double[scores.length];
    scorer.score(matrix, scorer.newScratch(), again);
    return again;
  }

  @Override
  public void close() {
    memory.close();
  }
}
