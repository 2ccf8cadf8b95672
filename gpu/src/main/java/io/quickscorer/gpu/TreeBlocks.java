// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

/**
 * The partition of an ensemble and of threads for GPU-QuickScorer.
 *
 * <p>A tree block's bitvectors must leave room in shared memory for a second block of threads on
 * the multiprocessor, and its splits and leaves should fit the device's L2 cache. Threads: the
 * least power of two with which enough blocks run at once to fill a multiprocessor. Source: Lettich
 * et al., IEEE TPDS 30(9), 2019, section 7.4.
 *
 * @param trees trees of a block
 * @param threads threads per document
 */
record TreeBlocks(int trees, int threads) {
  private static final int WARP = 32;
  private static final int MAX_THREADS = 1024;
  private static final int MAX_TREES = 65_535;

  /**
   * @param ensembleTrees trees of the ensemble
   * @param words 32-bit words of a tree's bitvector
   * @param bytesPerTree device memory of a tree's splits and leaves
   */
  static TreeBlocks of(DeviceShape device, int ensembleTrees, int words, long bytesPerTree) {
    int bitvector = words * Integer.BYTES;
    long half = device.sharedBytes() / 2 - DeviceShape.RESERVED_PER_BLOCK;
    long byShared = Math.min(half, device.sharedBytesPerBlock()) / bitvector;
    long byCache = device.l2Bytes() / Math.max(1, bytesPerTree);
    int max = Math.clamp(Math.min(byShared, byCache), 1, MAX_TREES);
    int blocks = (ensembleTrees + max - 1) / max;
    int trees = (ensembleTrees + blocks - 1) / blocks;
    return new TreeBlocks(trees, threads(device, trees * bitvector));
  }

  /** Returns the threads per block of threads for this much shared memory. */
  static int threads(DeviceShape device, int sharedBytes) {
    int fit = device.blocksAtOnce(sharedBytes);
    for (int threads = WARP; threads < MAX_THREADS; threads *= 2) {
      if (device.threads() / threads <= fit && device.threads() % threads == 0) {
        return threads;
      }
    }
    return MAX_THREADS;
  }
}
