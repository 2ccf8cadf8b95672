// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

/**
 * A place at which a caller can stop an engine in the middle of a batch. An engine calls {@link
 * #pass} repeatedly while it scores, on each thread that works on the batch.
 */
@FunctionalInterface
public interface Checkpoint {
  /** Never stops. */
  Checkpoint NONE = () -> {};

  /** Documents times trees between two passes, at most: one or two milliseconds. */
  long WORK = 1 << 20;

  /** Throws an unchecked exception to stop the engine; the batch's scores are then undefined. */
  void pass();
}
