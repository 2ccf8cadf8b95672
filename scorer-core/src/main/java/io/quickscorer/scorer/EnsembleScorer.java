// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;

/**
 * An ensemble compiled for one algorithm. Immutable and safe for use by several threads, each with
 * its own {@link Scratch}.
 */
public interface EnsembleScorer {
  TreeEnsemble ensemble();

  Algorithm algorithm();

  /**
   * Returns the scorer of the trees over features and {@linkplain TreeEnsemble#derived derived
   * columns}; itself if no column is derived.
   */
  default EnsembleScorer ofColumns() {
    return this;
  }

  /**
   * Returns a description of the engine or engines that score, with their batch sizes, for a log or
   * statistics.
   */
  default String engine() {
    return algorithm().label();
  }

  /** Returns whether an engine scores some batches here, or may do so later. */
  default boolean uses(Algorithm engine) {
    return algorithm() == engine;
  }

  /** Returns the bytes of the compiled form, without the ensemble itself. */
  long bytes();

  /** Returns buffers for one thread; they grow to the largest batch and are then reused. */
  Scratch newScratch();

  /**
   * Estimates the bytes that a {@link #newScratch()} holds after a batch, so that a caller can
   * account for them in advance. 0 by default, for engines without buffers.
   *
   * @param documents of the batch, 0 or more
   */
  default long scratchBytes(int documents) {
    return 0;
  }

  /**
   * Scores documents [0, matrix.documents()) and writes their raw scores.
   *
   * @param matrix one column per feature of the ensemble, in its order
   * @param scratch from this scorer's {@link #newScratch()}, not used by another thread at the same
   *     time
   * @param scores receives one raw score per document
   * @throws IllegalArgumentException if the matrix has another number of columns or {@code scores}
   *     is too short
   */
  default void score(FeatureMatrix matrix, Scratch scratch, double[] scores) {
    score(matrix, scratch, scores, Checkpoint.NONE);
  }

  /**
   * Scores documents as {@link #score(FeatureMatrix, Scratch, double[])} does, and passes a
   * checkpoint after each {@value Checkpoint#WORK} documents times trees or fewer. A device passes
   * it only before the batch.
   *
   * @param checkpoint may throw to stop; several threads may call it
   */
  void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint);

  /**
   * Frees memory outside the heap, such as a device's. Calls in progress finish, later ones may
   * fail. A scorer that is not closed is freed some time after it becomes unreachable.
   */
  default void close() {}

  /** Checks the arguments of a call to {@link #score}; shared by all scorers. */
  default void checkArguments(FeatureMatrix matrix, double[] scores) {
    int expected = ensemble().featureNames().size();
    if (matrix.features() != expected) {
      throw new IllegalArgumentException(
          "matrix of " + matrix.features() + " features, the model has " + expected);
    }
    if (scores.length < matrix.documents()) {
      throw new IllegalArgumentException(
          scores.length + " scores for " + matrix.documents() + " documents");
    }
  }
}
