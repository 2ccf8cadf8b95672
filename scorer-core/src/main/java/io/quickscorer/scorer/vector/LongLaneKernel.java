package io.quickscorer.scorer.vector;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.quick.FalseNodes;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * vQS for trees of at most 64 leaves: one vector of floats against two vectors of 64-bit
 * bitvectors, the first of them for the lower half of the documents.
 */
final class LongLaneKernel implements LaneKernel {
  private static final int BITS = Species.bits(MethodHandles.lookup());
  private static final VectorSpecies<Float> FLOATS = Species.floats(BITS / 2);
  private static final VectorSpecies<Long> LONGS = Species.longs(BITS);
  private static final int HALF = LONGS.length();
  private static final int LANES = 2 * HALF;

  @Override
  public int lanes() {
    return LANES;
  }

  @Override
  public LaneScratch newScratch(int trees) {
    return new LaneScratch(
        new int[0], new long[trees * LANES], new float[LANES], new double[LANES]);
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
    long[] leaves = scratch.longs();
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
        nodes.thresholds(),
        block.rows(),
        nodes.numeric().masks(),
        from,
        scratch.values(),
        scratch.longs());
    if (special) {
      applyMissing(nodes, column, scratch.values(), scratch.longs());
    }
    int[] categorical = nodes.categorical().starts();
    if (categorical[column] < categorical[column + 1]) {
      applyCategorical(nodes, column, scratch.values(), scratch.longs());
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
    boolean missing = false;
    for (int lane = 0; lane < LANES; lane += HALF) {
      FloatVector x = FloatVector.fromArray(FLOATS, values, at + lane);
      if (zeroIsMissing) {
        x = x.blend(Float.NaN, x.abs().compare(VectorOperators.LE, MissingValue.ZERO_BOUND));
      }
      x = x.blend(Float.NEGATIVE_INFINITY, FLOATS.indexInRange(lane, group).not());
      x.intoArray(to, lane);
      missing |= x.test(VectorOperators.IS_NAN).anyTrue();
    }
    return missing;
  }

  /** Clears what the values rule out, until a split is true for all of them. */
  private static void apply(
      float[] thresholds, int[] rows, long[] masks, int from, float[] values, long[] leaves) {
    FloatVector low = FloatVector.fromArray(FLOATS, values, 0);
    FloatVector high = FloatVector.fromArray(FLOATS, values, HALF);
    for (int i = from; ; i++) {
      float threshold = thresholds[i];
      VectorMask<Float> lowFails = low.compare(VectorOperators.GT, threshold);
      VectorMask<Float> highFails = high.compare(VectorOperators.GT, threshold);
      if (!lowFails.or(highFails).anyTrue()) {
        return;
      }
      clear(leaves, rows[i], masks[i], lowFails.cast(LONGS));
      clear(leaves, rows[i] + HALF, masks[i], highFails.cast(LONGS));
    }
  }

  private static void clear(long[] leaves, int at, long mask, VectorMask<Long> fails) {
    LongVector.fromArray(LONGS, leaves, at)
        .lanewise(VectorOperators.AND, mask, fails)
        .intoArray(leaves, at);
  }

  private static void applyMissing(FalseNodes nodes, int column, float[] values, long[] leaves) {
    FalseNodes.Lists lists = nodes.missing();
    int end = lists.starts()[column + 1];
    for (int lane = 0; lane < LANES; lane += HALF) {
      VectorMask<Long> missing =
          FloatVector.fromArray(FLOATS, values, lane).test(VectorOperators.IS_NAN).cast(LONGS);
      for (int i = lists.starts()[column]; i < end; i++) {
        clear(leaves, lists.trees()[i] * LANES + lane, lists.masks()[i], missing);
      }
    }
  }

  private static void applyCategorical(
      FalseNodes nodes, int column, float[] values, long[] leaves) {
    FalseNodes.Lists lists = nodes.categorical();
    int end = lists.starts()[column + 1];
    for (int i = lists.starts()[column]; i < end; i++) {
      CategorySet set = nodes.sets()[i];
      int row = lists.trees()[i] * LANES;
      long mask = lists.masks()[i];
      for (int lane = 0; lane < LANES; lane++) {
        float value = values[lane];
        if (!Float.isNaN(value) && !set.contains(value)) {
          leaves[row + lane] &= mask;
        }
      }
    }
  }

  private static void addDoubles(FalseNodes nodes, long[] leaves, double[] sums) {
    int[] starts = nodes.leafStarts();
    double[] values = nodes.leafValues();
    for (int t = 0; t < starts.length; t++) {
      int start = starts[t];
      int row = t * LANES;
      for (int lane = 0; lane < LANES; lane++) {
        sums[lane] += values[start + Long.numberOfTrailingZeros(leaves[row + lane])];
      }
    }
  }

  private static void addFloats(FalseNodes nodes, long[] leaves, double[] sums) {
    int[] starts = nodes.leafStarts();
    double[] values = nodes.leafValues();
    for (int t = 0; t < starts.length; t++) {
      int start = starts[t];
      int row = t * LANES;
      for (int lane = 0; lane < LANES; lane++) {
        double leaf = values[start + Long.numberOfTrailingZeros(leaves[row + lane])];
        sums[lane] = (float) (sums[lane] + leaf);
      }
    }
  }
}
