// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.scorer.UnsupportedEnsembleException;

/**
 * Brings in a scorer of others, to be timed beside ours on one thread. A service: the profile
 * {@code peers} builds a jar of them, which is not part of what is shipped.
 */
public interface Peer {
  /** The library, as users call it. */
  String name();

  /** A class of the library, by which is told whether its jar is there. */
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
