// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import java.nio.ByteBuffer;

/**
 * Ways in which the device adds leaf values in tree order, numbered as in tree_sum.cuh. All have
 * the bits of {@link Accumulator#add}.
 */
enum LeafSum {
  DOUBLE,
  /** In double, rounded to float after each tree. */
  ROUNDED,
  /**
   * In float, from leaf values that the device has as floats; the same bits as ROUNDED if every
   * operand is a float, without conversions.
   */
  FLOAT;

  private static final int STRUCT_BYTES = 56;
  private static final int THREADS = 288;
  private static final int DOCUMENTS = 32;

  /** {@code SUM_TILES * SUM_TREES * SUM_PITCH} in tree_sum.cuh. */
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

  /** Returns the bytes of a leaf value on the device. */
  int valueBytes() {
    return this == FLOAT ? Float.BYTES : Double.BYTES;
  }

  /** Adds a leaf value to a buffer of them. */
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
   * Puts the sums on a stream's stream: from its leaves to its sums.
   *
   * @param treeStride from one tree's leaf value to the next tree's
   * @param documentStride from one document's to the next one's; this or treeStride is 1
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
