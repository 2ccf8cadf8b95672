// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import java.nio.ByteBuffer;

/**
 * How the device adds leaf values in tree order. The ordinals are equal to the numbers in
 * tree_sum.cuh. Sums are bit-identical to those of {@link Accumulator#add}.
 */
enum LeafSum {
  DOUBLE,
  /** The sum is a double that is rounded to float after each tree. */
  ROUNDED,
  /** The sum and the leaf values are floats; used only if this does not change any sum. */
  FLOAT;

  private static final int STRUCT_BYTES = 56;
  private static final int THREADS = 288;
  private static final int DOCUMENTS = 32;

  /**
   * Number of leaf values in the buffer of a block of threads: {@code SUM_TILES * SUM_TREES *
   * SUM_PITCH} in tree_sum.cuh.
   */
  private static final int STAGED_VALUES = 4 * 64 * 33;

  static LeafSum of(TreeEnsemble ensemble) {
    if (ensemble.accumulator() == Accumulator.DOUBLE) {
      return DOUBLE;
    }
    boolean floats = isFloat(ensemble.initialScore());
    for (Tree tree : ensemble.trees()) {
      for (int leaf = 0; leaf < tree.leaves() && floats; leaf++) {
        floats = isFloat(tree.leafValue(leaf));
      }
    }
    return floats ? FLOAT : ROUNDED;
  }

  /** Returns the size of a leaf value on the device, in bytes. */
  int valueBytes() {
    return this == FLOAT ? Float.BYTES : Double.BYTES;
  }

  /**
   * Writes a leaf value to a buffer, in the format of the device.
   *
   * @param index the index of the value in the buffer
   */
  void put(ByteBuffer values, int index, double value) {
    if (this == FLOAT) {
      values.putFloat(index * Float.BYTES, (float) value);
    } else {
      values.putDouble(index * Double.BYTES, value);
    }
  }

  private static boolean isFloat(double value) {
    return (float) value == value;
  }

  /**
   * Queues the kernel that adds up leaf values. The kernel reads the stream's {@code leaves} and
   * writes its {@code sums}.
   *
   * @param treeStride distance, in leaf values, from the value of one tree to that of the next
   *     tree; either this or {@code documentStride} is 1
   * @param documentStride distance, in leaf values, from one document's value to that of the next
   */
  void enqueue(
      DeviceStream stream,
      TreeEnsemble ensemble,
      int documents,
      long treeStride,
      long documentStride) {
    int trees = ensemble.trees().size();
    long values = stream.leaves.reserve((long) documents * trees * valueBytes()).address();
    ByteBuffer struct = stream.struct("sumLeaves", STRUCT_BYTES);
    struct.putLong(values).putLong(stream.sums.reserve((long) documents * Double.BYTES).address());
    struct.putDouble(ensemble.initialScore()).putLong(treeStride).putLong(documentStride);
    struct.putInt(documents).putInt(trees).putInt(ordinal()).putInt(0);
    stream.launch(
        "sumLeaves",
        (documents + DOCUMENTS - 1) / DOCUMENTS,
        1,
        THREADS,
        STAGED_VALUES * valueBytes());
  }
}
