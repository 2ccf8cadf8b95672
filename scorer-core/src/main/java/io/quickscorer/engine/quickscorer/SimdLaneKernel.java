// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.engine.simd.SimdSpecies;
import io.quickscorer.engine.simd.Specialized;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.matrix.FeatureMatrix;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link VectorQuickScorer}. A 32-bit word of a bitvector is as wide as a float, so
 * the result mask of a float comparison can also select words.
 *
 * <p>Scalars are explicitly converted to vectors, and a comparison of x with x finds NaN. The
 * vector module's own methods for these operations would allocate objects, see {@link Specialized}.
 */
final class SimdLaneKernel implements LaneKernel {
  private static final int BITS = SimdSpecies.bits(MethodHandles.lookup());
  private static final VectorSpecies<Float> FLOATS = SimdSpecies.floats(BITS);
  private static final VectorSpecies<Integer> INTS = SimdSpecies.ints(BITS);
  private static final int LANES = FLOATS.length();

  @Override
  public int lanes() {
    return LANES;
  }

  @Override
  public void add(
      LaneBlock block,
      FeatureMatrix matrix,
      int from,
      int to,
      LaneScratch scratch,
      Accumulator accumulator,
      double[] sums) {
    FalseNodes nodes = block.falseNodes();
    for (int first = from; first < to; first += LANES) {
      int group = Math.min(LANES, to - first);
      Arrays.fill(scratch.leaves(), 0, nodes.words() * LANES, -1);
      for (int c = 0; c < nodes.columns(); c++) {
        traverse(block, c, matrix, first, group, scratch);
      }
      findExitLeaves(block.firstLeaves(), scratch.leaves());
      System.arraycopy(sums, first, scratch.sums(), 0, group);
      if (accumulator == Accumulator.DOUBLE) {
        addDoubles(nodes, scratch.leaves(), scratch.sums());
      } else {
        addFloats(nodes, scratch.leaves(), scratch.sums());
      }
      System.arraycopy(scratch.sums(), 0, sums, first, group);
    }
  }

  private static void traverse(
      LaneBlock block,
      int column,
      FeatureMatrix matrix,
      int first,
      int group,
      LaneScratch scratch) {
    FalseNodes nodes = block.falseNodes();
    float[] values = scratch.values();
    int[] leaves = scratch.leaves();
    int at = matrix.column(nodes.features()[column]) + first;
    boolean missing = read(matrix.values(), at, group, nodes.zeroIsMissing()[column], values);
    int from = nodes.numeric().starts()[column];
    apply(nodes.thresholds(), block.rows(), block.masks(), from, values, leaves);
    if (missing) {
      applyMissing(nodes.missing(), column, values, leaves);
    }
    int[] categorical = nodes.categorical().starts();
    if (categorical[column] < categorical[column + 1]) {
      applyCategorical(nodes, column, values, leaves);
    }
  }

  /**
   * Copies the values of one feature for a group of documents, with NaN for missing values. Lanes
   * without a document get minus infinity.
   *
   * @return whether any value is missing
   */
  private static boolean read(
      float[] values, int at, int group, boolean zeroIsMissing, float[] to) {
    FloatVector x = FloatVector.fromArray(FLOATS, values, at);
    if (zeroIsMissing) {
      FloatVector bound = FloatVector.broadcast(FLOATS, MissingValue.ZERO_BOUND);
      VectorMask<Float> zero = x.lanewise(VectorOperators.ABS).compare(VectorOperators.LE, bound);
      x = x.blend(FloatVector.broadcast(FLOATS, Float.NaN), zero);
    }
    if (group < LANES) {
      FloatVector low = FloatVector.broadcast(FLOATS, Float.NEGATIVE_INFINITY);
      x = low.blend(x, FLOATS.indexInRange(0, group));
    }
    x.intoArray(to, 0);
    return x.compare(VectorOperators.NE, x).anyTrue();
  }

  /**
   * Clears the leaves that the documents' feature values rule out. Thresholds ascend, so the loop
   * ends at the first split whose test succeeds for all documents.
   */
  private static void apply(
      float[] thresholds, int[] rows, int[] masks, int from, float[] values, int[] leaves) {
    FloatVector x = FloatVector.fromArray(FLOATS, values, 0);
    for (int i = from; ; i++) {
      VectorMask<Float> fails =
          x.compare(VectorOperators.GT, FloatVector.broadcast(FLOATS, thresholds[i]));
      if (!fails.anyTrue()) {
        return;
      }
      int row = rows[i];
      IntVector.fromArray(INTS, leaves, row)
          .lanewise(VectorOperators.AND, IntVector.broadcast(INTS, masks[i]), fails.cast(INTS))
          .intoArray(leaves, row);
    }
  }

  private static void applyMissing(
      FalseNodes.Lists lists, int column, float[] values, int[] leaves) {
    int end = lists.starts()[column + 1];
    FloatVector x = FloatVector.fromArray(FLOATS, values, 0);
    for (int i = lists.starts()[column]; i < end; i++) {
      int row = lists.words()[i] * LANES;
      IntVector.fromArray(INTS, leaves, row)
          .lanewise(
              VectorOperators.AND,
              IntVector.broadcast(INTS, (int) lists.masks()[i]),
              x.compare(VectorOperators.NE, x).cast(INTS))
          .intoArray(leaves, row);
    }
  }

  private static void applyCategorical(FalseNodes nodes, int column, float[] values, int[] leaves) {
    FalseNodes.Lists lists = nodes.categorical();
    int end = lists.starts()[column + 1];
    for (int i = lists.starts()[column]; i < end; i++) {
      CategorySet set = nodes.sets()[i];
      int row = lists.words()[i] * LANES;
      int mask = (int) lists.masks()[i];
      for (int lane = 0; lane < LANES; lane++) {
        float value = values[lane];
        if (!Float.isNaN(value) && !set.contains(value)) {
          leaves[row + lane] &= mask;
        }
      }
    }
  }

  /**
   * Replaces the first word of each bitvector by the index of the leaf that the document reaches.
   * The lowest 1 bit of the bitvector is this leaf.
   */
  private static void findExitLeaves(int[] firstLeaves, int[] leaves) {
    for (int w = firstLeaves.length - 1; w >= 0; w--) {
      int row = w * LANES;
      IntVector word = IntVector.fromArray(INTS, leaves, row);
      IntVector later = IntVector.fromArray(INTS, leaves, row + LANES);
      IntVector exit =
          word.lanewise(VectorOperators.TRAILING_ZEROS_COUNT)
              .lanewise(VectorOperators.ADD, IntVector.broadcast(INTS, firstLeaves[w]));
      VectorMask<Integer> hasLeaf = word.compare(VectorOperators.NE, IntVector.broadcast(INTS, 0));
      later.blend(exit, hasLeaf).intoArray(leaves, row);
    }
  }

  private static void addDoubles(FalseNodes nodes, int[] exits, double[] sums) {
    int[] firstWords = nodes.firstWords();
    double[] values = nodes.leafValues();
    for (int t = 0; t + 1 < firstWords.length; t++) {
      int row = firstWords[t] * LANES;
      for (int lane = 0; lane < LANES; lane++) {
        sums[lane] += values[exits[row + lane]];
      }
    }
  }

  private static void addFloats(FalseNodes nodes, int[] exits, double[] sums) {
    int[] firstWords = nodes.firstWords();
    double[] values = nodes.leafValues();
    for (int t = 0; t + 1 < firstWords.length; t++) {
      int row = firstWords[t] * LANES;
      for (int lane = 0; lane < LANES; lane++) {
        sums[lane] = (float) (sums[lane] + values[exits[row + lane]]);
      }
    }
  }
}
