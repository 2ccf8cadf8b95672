// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

/**
 * Lets a caller stop an engine in the middle of a batch. While it scores, the engine calls {@link
 * #pass} repeatedly, on each of its threads.
 */
@FunctionalInterface
public interface Checkpoint {
  /** A checkpoint that never stops the engine. */
  Checkpoint NONE = () -> {};

  /**
   * Maximum product of documents and trees that are scored between two calls of {@link #pass}. An
   * engine needs one or two milliseconds for it.
   */
  long WORK = 1 << 20;

  /** Does nothing, or throws an unchecked exception to stop the engine, which returns no scores. */
  void pass();
}
