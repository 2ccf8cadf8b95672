// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

/**
 * The properties of a device that decide how work is divided.
 *
 * @param multiprocessors units that run blocks of threads
 * @param threads threads one of them holds at a time
 * @param blocks blocks of threads one of them holds at a time
 * @param sharedBytes shared memory of one of them
 * @param sharedBytesPerBlock shared memory one block may take
 * @param l2Bytes cache between the multiprocessors and device memory
 * @param capability compute capability, times 10
 */
record DeviceShape(
    int multiprocessors,
    int threads,
    int blocks,
    int sharedBytes,
    int sharedBytesPerBlock,
    int l2Bytes,
    int capability) {
  /** Shared memory the system keeps for itself in each block. */
  static final int RESERVED_PER_BLOCK = 1024;

  /**
   * Returns whether doubles are added at half the rate of floats, rather than at a 32nd or 64th.
   */
  boolean fastDoubles() {
    return capability == 80 || capability == 90 || capability == 100;
  }

  /**
   * Returns the number of blocks with this much shared memory that run on one multiprocessor at a
   * time.
   */
  int blocksAtOnce(int bytesPerBlock) {
    return Math.min(blocks, sharedBytes / (bytesPerBlock + RESERVED_PER_BLOCK));
  }
}
