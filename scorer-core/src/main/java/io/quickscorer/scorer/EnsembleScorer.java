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
   * What really scores, for a log or statistics: the algorithm, or which one takes what batches.
   */
  default String engine() {
    return algorithm().label();
  }

  /** Bytes of the compiled form, the ensemble itself not included. */
  long bytes();

  /** Buffers for one thread; they grow to the largest batch seen and are then reused. */
  Scratch newScratch();

  /**
   * Scores documents [0, matrix.documents()) and writes their raw scores.
   *
   * @param matrix one column per feature of the ensemble, in its order
   * @param scratch from this scorer's {@link #newScratch()}, used by no other thread meanwhile
   * @param scores receives one raw score per document
   * @throws IllegalArgumentException if the matrix has another number of columns or {@code scores}
   *     is too short
   */
  void score(FeatureMatrix matrix, Scratch scratch, double[] scores);

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
