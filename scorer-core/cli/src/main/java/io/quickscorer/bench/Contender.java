// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import org.jspecify.annotations.Nullable;

/** A scorer together with batches to score, to be timed against others. Used by one thread. */
public interface Contender extends AutoCloseable {
  /** Returns the name of this contender and its properties for tables. */
  Label label();

  /**
   * Scores a batch, whose features have been converted to the scorer's layout before.
   *
   * @param batch the index of the batch
   * @return one raw score per document, perhaps followed by unused elements; valid until the next
   *     call
   */
  double[] score(int batch);

  /** Returns the maximum allowed difference of a score from the reference engine's score. */
  default double tolerance() {
    return 0;
  }

  @Override
  default void close() {}

  /**
   * The name and properties of a contender.
   *
   * @param engine the name of the algorithm, or of the other library
   * @param width width of the vectors in bits; 0 without vectors, null if unknown
   * @param plan the plan (order of work) as text; null if the engine has only one plan
   * @param threads number of threads that score a batch
   * @param bytesPerTree size of the compiled model divided by its number of trees, in bytes; null
   *     if unknown
   */
  record Label(
      String engine,
      @Nullable Integer width,
      @Nullable String plan,
      int threads,
      @Nullable Double bytesPerTree) {

    /** Returns the label of another library's scorer, which runs on one thread. */
    public static Label ofPeer(String name) {
      return new Label(name, null, null, 1, null);
    }
  }
}
