// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

/**
 * The properties of a device that determine how work is divided among its threads.
 *
 * @param multiprocessors number of multiprocessors, which run blocks of threads
 * @param threads maximum number of threads on one multiprocessor at a time
 * @param blocks maximum number of blocks on one multiprocessor at a time
 * @param sharedBytes shared memory of one multiprocessor, in bytes
 * @param sharedBytesPerBlock maximum shared memory of one block, in bytes
 * @param l2Bytes size of the level-2 cache, in bytes
 * @param capability CUDA's compute capability times 10, such as 90 for 9.0
 */
record DeviceShape(
    int multiprocessors,
    int threads,
    int blocks,
    int sharedBytes,
    int sharedBytesPerBlock,
    int l2Bytes,
    int capability) {
  /** Shared memory that CUDA itself uses in each block, in bytes. */
  static final int RESERVED_PER_BLOCK = 1024;

  /**
   * Returns how many blocks of threads a multiprocessor can run at a time.
   *
   * @param bytesPerBlock shared memory of one block, in bytes
   */
  int blocksAtOnce(int bytesPerBlock) {
    return Math.min(blocks, sharedBytes / (bytesPerBlock + RESERVED_PER_BLOCK));
  }
}
