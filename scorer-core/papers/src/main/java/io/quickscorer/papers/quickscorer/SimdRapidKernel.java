// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.quickscorer;

import io.quickscorer.engine.quickscorer.FalseNodes;
import io.quickscorer.engine.simd.SimdSpecies;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.matrix.FeatureMatrix;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link RapidScorer}, with one document per byte of a vector. A comparison of four
 * vectors of floats gives one bit per document. The bits select the documents whose bitvectors are
 * changed.
 */
final class SimdRapidKernel implements RapidKernel {
  private static final int BITS = SimdSpecies.bits(MethodHandles.lookup());
  private static final VectorSpecies<Float> FLOATS = SimdSpecies.floats(BITS);
  private static final VectorSpecies<Byte> BYTES = SimdSpecies.bytes(BITS);
  private static final int QUARTER = FLOATS.length();
  private static final int LANES = 4 * QUARTER;

  @Override
  public int lanes() {
    return LANES;
  }

  @Override
  public void add(
      RapidBlock block,
      FeatureMatrix matrix,
      int from,
      int to,
      RapidScratch scratch,
      Accumulator accumulator,
      double[] sums) {
    FalseNodes nodes = block.falseNodes();
    for (int first = from; first < to; first += LANES) {
      int group = Math.min(LANES, to - first);
      Arrays.fill(scratch.leaves(), 0, nodes.words() * LANES, (byte) -1);
      for (int c = 0; c < nodes.columns(); c++) {
        traverse(block, c, matrix, first, group, scratch);
      }
      findExitLeaves(nodes.firstWords(), scratch.leaves(), scratch.exitBytes());
      addExitLeaves(nodes, scratch, accumulator, sums, first, group);
    }
  }

  private static void traverse(
      RapidBlock block,
      int column,
      FeatureMatrix matrix,
      int first,
      int group,
      RapidScratch scratch) {
    FalseNodes nodes = block.falseNodes();
    float[] values = scratch.values();
    byte[] leaves = scratch.leaves();
    int at = matrix.column(nodes.features()[column]) + first;
    boolean zeroIsMissing = nodes.zeroIsMissing()[column];
    for (int lane = 0; lane < LANES; lane++) {
      // This value does not exceed any threshold, so unused lanes do not change the result.
      values[lane] =
          lane < group
              ? FalseNodes.read(matrix.values()[at + lane], zeroIsMissing)
              : Float.NEGATIVE_INFINITY;
    }
    apply(block, column, values, leaves);
    long missing = missing(values);
    if (missing != 0) {
      FalseNodes.Lists lists = nodes.missing();
      int[] starts = lists.starts();
      clear(lists, starts[column], starts[column + 1], missing, leaves);
    }
    applyCategorical(nodes, column, values, leaves);
  }

  /**
   * Compares the values of a column with its ascending thresholds, and clears the leaves that
   * documents cannot reach. Stops at the first threshold that no value exceeds.
   */
  private static void apply(RapidBlock block, int column, float[] values, byte[] leaves) {
    FalseNodes.Lists lists = block.falseNodes().numeric();
    int[] entryStarts = block.entryStarts();
    for (int g = block.groupStarts()[column]; ; g++) {
      long fails = greater(values, block.thresholds()[g]);
      if (fails == 0) {
        return;
      }
      clear(lists, entryStarts[g], entryStarts[g + 1], fails, leaves);
    }
  }

  /** Returns one bit per document: 1 if the document's value exceeds the threshold. */
  private static long greater(float[] values, float threshold) {
    long bits = 0;
    for (int lane = 0; lane < LANES; lane += QUARTER) {
      FloatVector x = FloatVector.fromArray(FLOATS, values, lane);
      FloatVector t = FloatVector.broadcast(FLOATS, threshold);
      bits |= x.compare(VectorOperators.GT, t).toLong() << lane;
    }
    return bits;
  }

  private static long missing(float[] values) {
    long bits = 0;
    for (int lane = 0; lane < LANES; lane += QUARTER) {
      FloatVector x = FloatVector.fromArray(FLOATS, values, lane);
      bits |= x.compare(VectorOperators.NE, x).toLong() << lane;
    }
    return bits;
  }

  private static void applyCategorical(
      FalseNodes nodes, int column, float[] values, byte[] leaves) {
    FalseNodes.Lists lists = nodes.categorical();
    int end = lists.starts()[column + 1];
    for (int i = lists.starts()[column]; i < end; i++) {
      CategorySet set = nodes.sets()[i];
      long fails = 0;
      for (int lane = 0; lane < LANES; lane++) {
        boolean fail = !Float.isNaN(values[lane]) && !set.contains(values[lane]);
        fails |= (fail ? 1L : 0L) << lane;
      }
      clear(lists, i, i + 1, fails, leaves);
    }
  }

  /**
   * Clears the leaves that some documents cannot reach: applies the entries [from, to) of {@code
   * lists} (see {@link RapidBlock}).
   *
   * @param documents one bit per document, which is 1 for the documents to change
   */
  private static void clear(
      FalseNodes.Lists lists, int from, int to, long documents, byte[] leaves) {
    int[] words = lists.words();
    long[] masks = lists.masks();
    for (int i = from; i < to; i++) {
      int row = words[i] * LANES;
      ByteVector.fromArray(BYTES, leaves, row)
          .lanewise(
              VectorOperators.AND,
              ByteVector.broadcast(BYTES, (byte) masks[i]),
              VectorMask.fromLong(BYTES, documents))
          .intoArray(leaves, row);
    }
  }

  /**
   * Finds, for each tree and document, the first nonzero byte of the bitvector. Row i of a tree has
   * byte i of all documents' bitvectors. The tree's first row receives the found bytes (in {@code
   * leaves}) and their indexes within the tree (in {@code exitBytes}).
   */
  private static void findExitLeaves(int[] firstWords, byte[] leaves, byte[] exitBytes) {
    for (int t = 0; t + 1 < firstWords.length; t++) {
      for (int w = firstWords[t + 1] - 1; w >= firstWords[t]; w--) {
        int row = w * LANES;
        ByteVector word = ByteVector.fromArray(BYTES, leaves, row);
        VectorMask<Byte> nonZero =
            word.compare(VectorOperators.NE, ByteVector.broadcast(BYTES, (byte) 0));
        ByteVector.fromArray(BYTES, leaves, row + LANES)
            .blend(word, nonZero)
            .intoArray(leaves, row);
        ByteVector.fromArray(BYTES, exitBytes, row + LANES)
            .blend(ByteVector.broadcast(BYTES, (byte) (w - firstWords[t])), nonZero)
            .intoArray(exitBytes, row);
      }
    }
  }

  private static void addExitLeaves(
      FalseNodes nodes,
      RapidScratch scratch,
      Accumulator accumulator,
      double[] sums,
      int first,
      int group) {
    int[] firstWords = nodes.firstWords();
    int[] leafStarts = nodes.leafStarts();
    double[] values = nodes.leafValues();
    byte[] leaves = scratch.leaves();
    byte[] exitBytes = scratch.exitBytes();
    for (int t = 0; t < leafStarts.length; t++) {
      int row = firstWords[t] * LANES;
      for (int lane = 0; lane < group; lane++) {
        int bit = Integer.numberOfTrailingZeros(leaves[row + lane]);
        int leaf = leafStarts[t] + (exitBytes[row + lane] & 0xff) * Byte.SIZE + bit;
        sums[first + lane] = accumulator.add(sums[first + lane], values[leaf]);
      }
    }
  }
}
