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
   * The scorer of the trees over features and {@linkplain TreeEnsemble#derived derived columns};
   * itself where nothing is derived.
   */
  default EnsembleScorer ofColumns() {
    return this;
  }

  /**
   * Returns the name of the engine that scores, for a log or statistics: the algorithm, or the
   * engines by batch size.
   */
  default String engine() {
    return algorithm().label();
  }

  /** Whether an engine scores some batches here, or may come to. */
  default boolean uses(Algorithm engine) {
    return algorithm() == engine;
  }

  /** Bytes of the compiled form, the ensemble itself not included. */
  long bytes();

  /** Buffers for one thread; they grow to the largest batch seen and are then reused. */
  Scratch newScratch();

  /**
   * Bytes, about, that {@link #newScratch()} has after a batch: what a caller charges before it. 0
   * by default, for engines without buffers.
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
   * @param scratch from this scorer's {@link #newScratch()}, used by no other thread meanwhile
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
   * @param checkpoint may throw to stop; it can be called by several threads
   */
  void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint);

  /**
   * Frees what lies outside the heap, such as a device's memory; calls under way finish, later ones
   * may fail. What is not closed is freed some time after it becomes unreachable.
   */
  default void close() {}

  /** The arguments' checks, shared by all scorers. */
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
