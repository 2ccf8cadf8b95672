// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

/**
 * The division of an ensemble into blocks of trees for {@link GpuQuickScorer}.
 *
 * <p>The bitvectors of a block take at most half of a multiprocessor's shared memory, and the
 * block's splits and leaves should fit the level-2 cache. The number of threads is the smallest
 * power of two with which all threads of a multiprocessor are used. Source: Lettich et al., IEEE
 * TPDS 30(9), 2019, section 7.4.
 *
 * @param trees maximum number of trees of a block
 * @param threads number of threads that score one document
 */
record TreeBlocks(int trees, int threads) {
  private static final int WARP = 32;
  private static final int MAX_THREADS = 1024;
  private static final int MAX_TREES = 65_535;

  /**
   * Chooses the division of an ensemble into blocks of trees for a device.
   *
   * @param ensembleTrees number of trees of the ensemble
   * @param words number of 32-bit words of a tree's bitvector
   * @param bytesPerTree device memory of a tree's splits and leaves, in bytes
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

  /**
   * Returns the number of threads that score one document.
   *
   * @param sharedBytes shared memory that a block of trees needs, in bytes
   */
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
