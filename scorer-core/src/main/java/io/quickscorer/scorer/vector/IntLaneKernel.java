package io.quickscorer.scorer.vector;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.quick.FalseNodes;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * vQS for trees of at most 32 leaves: one vector of floats against one vector of 32-bit bitvectors.
 */
final class IntLaneKernel implements LaneKernel {
  private static final int BITS = Species.bits(MethodHandles.lookup());
  private static final VectorSpecies<Float> FLOATS = Species.floats(BITS);
  private static final VectorSpecies<Integer> INTS = Species.ints(BITS);
  private static final int LANES = FLOATS.length();

  @Override
  public int lanes() {
    return LANES;
  }

  @Override
  public LaneScratch newScratch(int trees) {
    return new LaneScratch(
        new int[trees * LANES], new long[0], new float[LANES], new double[LANES]);
  }

  @Override
  public void add(
      LaneBlock block,
      FeatureMatrix matrix,
      LaneScratch scratch,
      Accumulator accumulator,
      double[] sums) {
    FalseNodes nodes = block.falseNodes();
    int documents = matrix.documents();
    int[] leaves = scratch.ints();
    int end = nodes.trees() * LANES;
    for (int first = 0; first < documents; first += LANES) {
      int group = Math.min(LANES, documents - first);
      Arrays.fill(leaves, 0, end, -1);
      for (int c = 0; c < nodes.columns(); c++) {
        traverse(block, c, matrix, first, group, scratch);
      }
      System.arraycopy(sums, first, scratch.sums(), 0, group);
      if (accumulator == Accumulator.DOUBLE) {
        addDoubles(nodes, leaves, scratch.sums());
      } else {
        addFloats(nodes, leaves, scratch.sums());
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
    int at = matrix.column(nodes.features()[column]) + first;
    boolean special =
        prepare(matrix.values(), at, group, nodes.zeroIsMissing()[column], scratch.values());
    int from = nodes.numeric().starts()[column];
    apply(
        nodes.thresholds(), block.rows(), block.intMasks(), from, scratch.values(), scratch.ints());
    if (special) {
      applyMissing(nodes, column, scratch.values(), scratch.ints());
    }
    int[] categorical = nodes.categorical().starts();
    if (categorical[column] < categorical[column + 1]) {
      applyCategorical(nodes, column, scratch.values(), scratch.ints());
    }
  }

  /**
   * Copies a group's values as the column reads them; lanes without a document get a value that no
   * threshold is below.
   *
   * @return whether a value is missing
   */
  private static boolean prepare(
      float[] values, int at, int group, boolean zeroIsMissing, float[] to) {
    FloatVector x = FloatVector.fromArray(FLOATS, values, at);
    if (zeroIsMissing) {
      x = x.blend(Float.NaN, x.abs().compare(VectorOperators.LE, MissingValue.ZERO_BOUND));
    }
    x = x.blend(Float.NEGATIVE_INFINITY, FLOATS.indexInRange(0, group).not());
    x.intoArray(to, 0);
    return x.test(VectorOperators.IS_NAN).anyTrue();
  }

  /** Clears what the values rule out, until a split is true for all of them. */
  private static void apply(
      float[] thresholds, int[] rows, int[] masks, int from, float[] values, int[] leaves) {
    FloatVector x = FloatVector.fromArray(FLOATS, values, 0);
    for (int i = from; ; i++) {
      VectorMask<Float> fails = x.compare(VectorOperators.GT, thresholds[i]);
      if (!fails.anyTrue()) {
        return;
      }
      int row = rows[i];
      IntVector.fromArray(INTS, leaves, row)
          .lanewise(VectorOperators.AND, masks[i], fails.cast(INTS))
          .intoArray(leaves, row);
    }
  }

  private static void applyMissing(FalseNodes nodes, int column, float[] values, int[] leaves) {
    FalseNodes.Lists lists = nodes.missing();
    int end = lists.starts()[column + 1];
    VectorMask<Integer> missing =
        FloatVector.fromArray(FLOATS, values, 0).test(VectorOperators.IS_NAN).cast(INTS);
    for (int i = lists.starts()[column]; i < end; i++) {
      int row = lists.trees()[i] * LANES;
      IntVector.fromArray(INTS, leaves, row)
          .lanewise(VectorOperators.AND, (int) lists.masks()[i], missing)
          .intoArray(leaves, row);
    }
  }

  private static void applyCategorical(FalseNodes nodes, int column, float[] values, int[] leaves) {
    FalseNodes.Lists lists = nodes.categorical();
    int end = lists.starts()[column + 1];
    for (int i = lists.starts()[column]; i < end; i++) {
      CategorySet set = nodes.sets()[i];
      int row = lists.trees()[i] * LANES;
      int mask = (int) lists.masks()[i];
      for (int lane = 0; lane < LANES; lane++) {
        float value = values[lane];
        if (!Float.isNaN(value) && !set.contains(value)) {
          leaves[row + lane] &= mask;
        }
      }
    }
  }

  private static void addDoubles(FalseNodes nodes, int[] leaves, double[] sums) {
    int[] starts = nodes.leafStarts();
    double[] values = nodes.leafValues();
    for (int t = 0; t < starts.length; t++) {
      int start = starts[t];
      int row = t * LANES;
      for (int lane = 0; lane < LANES; lane++) {
        sums[lane] += values[start + Integer.numberOfTrailingZeros(leaves[row + lane])];
      }
    }
  }

  private static void addFloats(FalseNodes nodes, int[] leaves, double[] sums) {
    int[] starts = nodes.leafStarts();
    double[] values = nodes.leafValues();
    for (int t = 0; t < starts.length; t++) {
      int start = starts[t];
      int row = t * LANES;
      for (int lane = 0; lane < LANES; lane++) {
        double leaf = values[start + Integer.numberOfTrailingZeros(leaves[row + lane])];
        sums[lane] = (float) (sums[lane] + leaf);
      }
    }
  }
}
