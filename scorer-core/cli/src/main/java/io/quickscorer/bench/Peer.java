// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.scorer.UnsupportedEnsembleException;

/**
 * Loads a scorer of another library, to be timed on one thread. This is a service interface. The
 * Maven profile {@code peers} builds a JAR of the implementations, which is not distributed.
 */
public interface Peer {
  /** Returns the name of the library that this peer times. */
  String name();

  /** Returns the name of a class of the library, to find out whether the library is present. */
  String libraryClass();

  /**
   * Loads a model into the library, and documents into the library's usual layout.
   *
   * @throws UnsupportedEnsembleException if the library does not support the model
   * @throws IllegalStateException if the library fails
   */
  Contender load(byte[] model, Batches batches);
}
