// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.scorer.UnsupportedEnsembleException;

/**
 * Loads a scorer of another library, to be timed against this library's on one thread. A service:
 * the profile {@code peers} builds a jar of them, which is not distributed.
 */
public interface Peer {
  /** Returns the library's usual name. */
  String name();

  /** Returns a class of the library, which is loaded to find out whether its jar is present. */
  String libraryClass();

  /**
   * Loads a model into the library and the documents into its natural layout.
   *
   * @param model the bytes of the model's file
   * @throws UnsupportedEnsembleException if the library cannot take the model
   * @throws IllegalStateException if the library fails
   */
  Contender load(byte[] model, Batches batches);
}
