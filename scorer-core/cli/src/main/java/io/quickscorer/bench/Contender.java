// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import org.jspecify.annotations.Nullable;

/** One scorer with its batches, ready to be timed. Used by one thread. */
public interface Contender extends AutoCloseable {
  /** Returns the names of this contender. */
  Label label();

  /**
   * Scores a batch, from the scorer's natural layout of features to one raw score per document.
   *
   * @return the scores, valid until the next call; may be longer than the batch
   */
  double[] score(int batch);

  /**
   * Returns the maximum difference between a score and the reference's score; 0 for bit-identical
   * scorers.
   */
  default double tolerance() {
    return 0;
  }

  @Override
  default void close() {}

  /**
   * Names of a contender.
   *
   * @param engine the algorithm, or the peer's library
   * @param width bits of its vectors, 0 if it uses none, null if unknown
   * @param plan the order of its work, null if it has only one
   * @param threads threads that score a batch
   * @param bytesPerTree bytes of the compiled model per tree, null if unknown
   */
  record Label(
      String engine,
      @Nullable Integer width,
      @Nullable String plan,
      int threads,
      @Nullable Double bytesPerTree) {

    /** Returns the label of another library's scorer, on one thread. */
    public static Label ofPeer(String name) {
      return new Label(name, null, null, 1, null);
    }
  }
}
