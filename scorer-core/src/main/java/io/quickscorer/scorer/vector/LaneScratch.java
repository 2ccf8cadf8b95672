package io.quickscorer.scorer.vector;

import io.quickscorer.scorer.Scratch;

/**
 * Buffers of one thread: the bitvectors of a tree block, of which a kernel uses those of its width,
 * and the values and sums of one group of documents.
 *
 * @param ints bitvectors of trees of at most 32 leaves, else empty
 * @param longs bitvectors of larger trees, else empty
 * @param values one column's values of a group, as the column reads them
 * @param sums one sum per lane
 */
record LaneScratch(int[] ints, long[] longs, float[] values, double[] sums) implements Scratch {
  @Override
  public long bytes() {
    return 4L * ints.length + 8L * longs.length + 4L * values.length + 8L * sums.length;
  }
}
