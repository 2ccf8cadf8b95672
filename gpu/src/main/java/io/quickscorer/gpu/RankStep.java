// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.gpu.CudaDriver.DeviceMemory;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Computes the ranks of feature values on the device. The rank of a value is the number of its
 * column's thresholds below the value.
 */
final class RankStep {
  private static final int STRUCT_BYTES = 56;

  /**
   * Maximum number of columns. The second dimension of a CUDA grid has one block per column, and
   * cannot be larger.
   */
  private static final int MAX_COLUMNS = 65_535;

  private static final int WARP = 32;
  private static final int MAX_THREADS = 256;
  private static final int DOCUMENTS_PER_THREAD = 4;

  private final int count;
  private final DeviceMemory columns;
  private final DeviceMemory thresholds;
  private final DeviceMemory sets;

  /**
   * Copies columns to the device.
   *
   * @throws UnsupportedEnsembleException if there are more than 65,535 columns
   */
  RankStep(ModelMemory memory, List<SplitColumns.Column> list) {
    if (list.size() > MAX_COLUMNS) {
      throw new UnsupportedEnsembleException(
          "gpu: the thresholds and categories of the model need "
              + list.size()
              + " columns, at most "
              + MAX_COLUMNS
              + " allowed");
    }
    this.count = list.size();
    this.columns = memory.upload(SplitColumns.pack(list));
    this.thresholds = memory.upload(SplitColumns.packThresholds(list));
    this.sets = memory.upload(SplitColumns.packSets(list));
  }

  int count() {
    return count;
  }

  DeviceMemory columns() {
    return columns;
  }

  /**
   * Adds to a stream's queue the kernel that computes the ranks. The kernel stores each rank as
   * {@code (rank + increment) << shift}, the form that the next kernel compares.
   *
   * @param documents number of documents of the batch
   * @param stride the padded number of documents
   */
  void enqueue(DeviceStream stream, int documents, int stride, int increment, int shift) {
    if (count == 0) {
      return;
    }
    ByteBuffer struct = stream.struct("rankValues", STRUCT_BYTES);
    struct.putLong(stream.values.reserve(0).address()).putLong(columns.address());
    struct.putLong(thresholds.address()).putLong(sets.address());
    struct.putLong(stream.ranks.reserve((long) count * stride * Integer.BYTES).address());
    struct.putInt(documents).putInt(stride).putInt(increment).putInt(shift);
    int threads = Math.min(MAX_THREADS, (documents + WARP - 1) / WARP * WARP);
    int perBlock = threads * DOCUMENTS_PER_THREAD;
    stream.launch("rankValues", (documents + perBlock - 1) / perBlock, count, threads, 0);
  }
}
