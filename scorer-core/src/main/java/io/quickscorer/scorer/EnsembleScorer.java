// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;

/**
 * An ensemble compiled for one algorithm. Immutable and safe for use by several threads if each has
 * its own {@link Scratch}.
 */
public interface EnsembleScorer {
  TreeEnsemble ensemble();

  Algorithm algorithm();

  /**
   * Returns a scorer for matrices that already contain the {@linkplain TreeEnsemble#derived derived
   * columns} after the features. If the model has no derived columns, returns this scorer.
   */
  default EnsembleScorer ofColumns() {
    return this;
  }

  /** Returns a description of the engines and their batch sizes, for a log or statistics. */
  default String engine() {
    return algorithm().label();
  }

  /** Returns whether this scorer scores some batches with the given engine, or may do so later. */
  default boolean uses(Algorithm engine) {
    return algorithm() == engine;
  }

  /** Returns the memory of the compiled form in bytes, without the ensemble itself. */
  long bytes();

  /** Returns new buffers for one thread. They grow to the size that the largest batch needs. */
  Scratch newScratch();

  /**
   * Estimates the memory, in bytes, of one thread's buffers after a batch was scored. The default
   * is 0, for engines without buffers.
   *
   * @param documents the number of documents of the batch, 0 or more
   */
  default long scratchBytes(int documents) {
    return 0;
  }

  /**
   * Scores all documents of a matrix and writes their raw scores.
   *
   * @param matrix one column per feature, in the order of {@link TreeEnsemble#featureNames()}
   * @param scratch from this scorer's {@link #newScratch()}, not used by another thread at the same
   *     time
   * @param scores receives one raw score per document; at least {@code matrix.documents()} long
   * @throws IllegalArgumentException if the matrix has another number of columns or {@code scores}
   *     is too short
   * @throws ClassCastException if {@code scratch} is from a scorer of another kind
   */
  default void score(FeatureMatrix matrix, Scratch scratch, double[] scores) {
    score(matrix, scratch, scores, Checkpoint.NONE);
  }

  /**
   * Scores documents like {@link #score(FeatureMatrix, Scratch, double[])}, and calls a checkpoint
   * between parts of the work. In a part, the number of documents times trees is at most {@value
   * Checkpoint#WORK}. Scorers on a device call the checkpoint only before the batch.
   *
   * @param checkpoint may throw an exception to stop the engine; several threads may call it
   */
  void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint);

  /**
   * Frees memory outside the heap, such as memory of a device. Calls in progress finish, later
   * calls may fail. Without such a call, the memory is freed some time after the scorer becomes
   * unreachable.
   */
  default void close() {}

  /** Checks the arguments of a call of {@link #score}; every scorer calls this method first. */
  default void checkArguments(FeatureMatrix matrix, double[] scores) {
    int expected = ensemble().featureNames().size();
    if (matrix.features() != expected) {
      throw new IllegalArgumentException(
          "the matrix has " + matrix.features() + " features, but the model has " + expected);
    }
    if (scores.length < matrix.documents()) {
      throw new IllegalArgumentException(
          "the array of scores has "
              + scores.length
              + " elements for "
              + matrix.documents()
              + " documents");
    }
  }
}
