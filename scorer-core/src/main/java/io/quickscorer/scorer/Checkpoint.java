// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

/**
 * Lets a caller stop an engine in the middle of a batch. While the engine scores, it calls {@link
 * #pass} repeatedly on each thread that works on the batch.
 */
@FunctionalInterface
public interface Checkpoint {
  /** A checkpoint that never stops the engine. */
  Checkpoint NONE = () -> {};

  /**
   * Maximum product of documents and trees between two calls of {@link #pass}: work for one or two
   * milliseconds.
   */
  long WORK = 1 << 20;

  /**
   * Does nothing, or throws an unchecked exception to stop the engine. The batch's scores are then
   * undefined.
   */
  void pass();
}
