// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.Arrays;

/** Phase 5 without vectors: the sums stand in the order of the codes' bytes. */
public final class PlainLeafSums implements LeafSums {
  private final BitProgram program;
  private final LeafTable leaves;
  private final double initialScore;
  private final boolean floatSums;

  public PlainLeafSums(BitProgram program, LeafTable leaves) {
    TreeEnsemble ensemble = program.ensemble();
    this.program = program;
    this.leaves = leaves;
    this.initialScore = ensemble.initialScore();
    this.floatSums = ensemble.accumulator() == Accumulator.FLOAT;
  }

  @Override
  public void start(BlockBuffers buffers, int words) {
    Arrays.fill(buffers.sums, 0, 64 * words, initialScore);
  }

  @Override
  public void add(int group, BlockBuffers buffers, int words, int documents) {
    int codeBits = program.codeBits(group);
    int index = LeafTable.indexBits(codeBits);
    int table = leaves.first(group);
    int rows = 8 * program.codeBytes(group) * words;
    int trees = program.endTree(group) - program.firstTree(group);
    for (int tree = 0; tree < trees; tree++) {
      addTree(buffers, tree * rows, rows > 8 * words, table + (tree << index), words, documents);
    }
  }

  private void addTree(
      BlockBuffers buffers, int row, boolean wide, int table, int words, int documents) {
    double[] values = leaves.values();
    long[] codes = buffers.codes;
    double[] sums = buffers.sums;
    for (int word = 0; 64 * word < documents; word++) {
      int bytes = Math.min(8, documents - 64 * word + 7 >>> 3);
      for (int x = word; x < 8 * words; x += words) {
        long low = codes[row + x];
        if (wide) {
          addWide(low, codes[row + 8 * words + x], values, table, sums, 8 * x, bytes);
        } else if (floatSums) {
          addFloats(low, values, table, sums, 8 * x, bytes);
        } else {
          addDoubles(low, values, table, sums, 8 * x, bytes);
        }
      }
    }
  }

  private static void addDoubles(
      long codes, double[] values, int table, double[] sums, int to, int bytes) {
    long rest = codes;
    for (int i = 0; i < bytes; i++) {
      sums[to + i] += values[table + (int) (rest & 0xFF)];
      rest >>>= 8;
    }
  }

  private static void addFloats(
      long codes, double[] values, int table, double[] sums, int to, int bytes) {
    long rest = codes;
    for (int i = 0; i < bytes; i++) {
      sums[to + i] = (float) (sums[to + i] + values[table + (int) (rest & 0xFF)]);
      rest >>>= 8;
    }
  }

  private void addWide(
      long low, long high, double[] values, int table, double[] sums, int to, int bytes) {
    Accumulator accumulator = program.ensemble().accumulator();
    for (int i = 0; i < bytes; i++) {
      int code = (int) (low >>> 8 * i & 0xFF | (high >>> 8 * i & 0xFF) << 8);
      sums[to + i] = accumulator.add(sums[to + i], values[table + code]);
    }
  }

  @Override
  public double sum(BlockBuffers buffers, int words, int document) {
    int row = document & 7;
    int x = row * words + (document >>> 6);
    return buffers.sums[8 * x + (document >>> 3 & 7)];
  }

  @Override
  public long bytes() {
    return leaves.bytes();
  }
}
