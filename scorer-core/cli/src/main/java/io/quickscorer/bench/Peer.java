// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.scorer.UnsupportedEnsembleException;

/**
 * Loads a scorer of another library, which is then timed on one thread. This is a service
 * interface. The Maven profile {@code peers} builds a JAR of its implementations, which is not
 * distributed.
 */
public interface Peer {
  /** Returns the name of the library that this peer times. */
  String name();

  /** Returns the name of a class that shows, if it is found, that the library's JAR is present. */
  String libraryClass();

  /**
   * Loads a model into the library, and documents into the layout that the library normally uses.
   *
   * @throws UnsupportedEnsembleException if the library does not support the model
   * @throws IllegalStateException if the library fails
   */
  Contender load(byte[] model, Batches batches);
}
