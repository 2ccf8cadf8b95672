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
 * A copy of consecutive documents of a batch (a list of documents scored together) and of their raw
 * scores, which are verified later. Its memory is charged until it is closed.
 *
 * @param engine the engine (scoring algorithm) that scored the batch
 * @param batch the number of documents in the batch
 * @param from the index in the batch of the sample's first document
 * @param matrix the feature values, one column per feature in the model's order
 * @param scores the raw score of each document of the sample
 * @param memory the charge at the circuit breaker for the sample
 */
@SuppressWarnings("ArrayRecordComponent") // these records are never compared
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

  /**
   * Maximum product of the numbers of documents and trees in a sample, so that the reference
   * engine, the slowest one, scores each sample in less than 0.1 seconds.
   */
  private static final int MAX_WORK = 1 << 18;

  /**
   * Maximum product of the numbers of documents and features in a sample, whose values are floats:
   * 4 MiB in total.
   */
  private static final int MAX_VALUES = 1 << 20;

  /**
   * Copies a batch (a list of scored documents) to a sample. If the batch is too large, copies only
   * consecutive documents from a random position.
   *
   * @param trees the number of the model's trees
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException if there is not enough
   *     memory; then no memory stays charged
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
