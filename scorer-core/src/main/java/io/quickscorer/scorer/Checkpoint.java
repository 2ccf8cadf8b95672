// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

/**
 * Where a caller can stop an engine in the middle of a batch. An engine passes its checkpoint again
 * and again while it scores, on each thread that works on the batch.
 */
@FunctionalInterface
public interface Checkpoint {
  /** Never stops. */
  Checkpoint NONE = () -> {};

  /** Documents times trees between two passes, at most about: one or two milliseconds. */
  long WORK = 1 << 20;

  /** Throws an unchecked exception to stop: the batch's scores are then undefined. */
  void pass();
}
