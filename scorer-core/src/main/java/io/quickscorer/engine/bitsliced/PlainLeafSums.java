// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.Arrays;

/**
 * Adds leaf values without vectors. The sums are in the order in which {@link TreeKernel#leafCodes}
 * writes codes.
 *
 * <p>A long contains the codes of eight documents. Their sums stay in registers while all trees of
 * a group are added. Each tree has its own array, whose length is a power of two. So an index
 * masked with the length minus 1 needs no range check.
 */
final class PlainLeafSums implements LeafSums {
  /**
   * Minimum number of documents for which the eight codes in a long are processed at once. The
   * codes of fewer documents are processed one by one.
   */
  private static final int MIN_OCTET = 5;

  /** Memory of an array without its elements, and of the reference to the array, in bytes. */
  private static final int ARRAY_BYTES = 24;

  private final BitProgram program;

  /** The leaf values of each tree, indexed by leaf code. */
  private final double[][] tables;

  private final double initialScore;
  private final Accumulator accumulator;

  public PlainLeafSums(BitProgram program, LeafTable leaves) {
    TreeEnsemble ensemble = program.ensemble();
    this.program = program;
    this.tables = new double[program.trees()][];
    this.initialScore = ensemble.initialScore();
    this.accumulator = ensemble.accumulator();
    for (int group = 0; group < program.groups(); group++) {
      int size = 1 << LeafTable.indexBits(program.codeBits()[group]);
      int from = leaves.firstOfGroup()[group];
      for (int tree = program.firstTree(group); tree < program.endTree(group); tree++) {
        tables[tree] = Arrays.copyOfRange(leaves.values(), from, from + size);
        from += size;
      }
    }
  }

  @Override
  public void start(BlockBuffers buffers, int words) {
    Arrays.fill(buffers.sums, 0, 64 * words, initialScore);
  }

  @Override
  public void add(int group, BlockBuffers buffers, int words, int documents) {
    int from = program.firstTree(group);
    int end = program.endTree(group);
    boolean wide = program.codeBytes(group) > 1;
    long[] codes = buffers.codes;
    double[] sums = buffers.sums;
    int stride = 8 * words;
    for (int word = 0; 64 * word < documents; word++) {
      int bytes = Math.min(8, documents - 64 * word + 7 >>> 3);
      for (int code = word; code < stride; code += words) {
        if (wide) {
          addWide(from, end, codes, code, stride, sums, 8 * code, bytes);
        } else if (bytes < MIN_OCTET) {
          addSingly(from, end, codes, code, stride, sums, 8 * code, bytes);
        } else if (accumulator == Accumulator.FLOAT) {
          addFloats(tables, from, end, codes, code, stride, sums, 8 * code);
        } else {
          addDoubles(tables, from, end, codes, code, stride, sums, 8 * code);
        }
      }
    }
  }

  private static void addDoubles(
      double[][] tables,
      int from,
      int end,
      long[] codes,
      int firstCode,
      int stride,
      double[] sums,
      int to) {
    double sum0 = sums[to];
    double sum1 = sums[to + 1];
    double sum2 = sums[to + 2];
    double sum3 = sums[to + 3];
    double sum4 = sums[to + 4];
    double sum5 = sums[to + 5];
    double sum6 = sums[to + 6];
    double sum7 = sums[to + 7];
    int code = firstCode;
    for (int tree = from; tree < end; tree++, code += stride) {
      double[] leaves = tables[tree];
      int mask = leaves.length - 1;
      long octet = codes[code];
      sum0 += leaves[(int) octet & mask];
      sum1 += leaves[(int) (octet >>> 8) & mask];
      sum2 += leaves[(int) (octet >>> 16) & mask];
      sum3 += leaves[(int) (octet >>> 24) & mask];
      sum4 += leaves[(int) (octet >>> 32) & mask];
      sum5 += leaves[(int) (octet >>> 40) & mask];
      sum6 += leaves[(int) (octet >>> 48) & mask];
      sum7 += leaves[(int) (octet >>> 56) & mask];
    }
    sums[to] = sum0;
    sums[to + 1] = sum1;
    sums[to + 2] = sum2;
    sums[to + 3] = sum3;
    sums[to + 4] = sum4;
    sums[to + 5] = sum5;
    sums[to + 6] = sum6;
    sums[to + 7] = sum7;
  }

  private static void addFloats(
      double[][] tables,
      int from,
      int end,
      long[] codes,
      int firstCode,
      int stride,
      double[] sums,
      int to) {
    double sum0 = sums[to];
    double sum1 = sums[to + 1];
    double sum2 = sums[to + 2];
    double sum3 = sums[to + 3];
    double sum4 = sums[to + 4];
    double sum5 = sums[to + 5];
    double sum6 = sums[to + 6];
    double sum7 = sums[to + 7];
    int code = firstCode;
    for (int tree = from; tree < end; tree++, code += stride) {
      double[] leaves = tables[tree];
      int mask = leaves.length - 1;
      long octet = codes[code];
      sum0 = (float) (sum0 + leaves[(int) octet & mask]);
      sum1 = (float) (sum1 + leaves[(int) (octet >>> 8) & mask]);
      sum2 = (float) (sum2 + leaves[(int) (octet >>> 16) & mask]);
      sum3 = (float) (sum3 + leaves[(int) (octet >>> 24) & mask]);
      sum4 = (float) (sum4 + leaves[(int) (octet >>> 32) & mask]);
      sum5 = (float) (sum5 + leaves[(int) (octet >>> 40) & mask]);
      sum6 = (float) (sum6 + leaves[(int) (octet >>> 48) & mask]);
      sum7 = (float) (sum7 + leaves[(int) (octet >>> 56) & mask]);
    }
    sums[to] = sum0;
    sums[to + 1] = sum1;
    sums[to + 2] = sum2;
    sums[to + 3] = sum3;
    sums[to + 4] = sum4;
    sums[to + 5] = sum5;
    sums[to + 6] = sum6;
    sums[to + 7] = sum7;
  }

  private void addSingly(
      int from,
      int end,
      long[] codes,
      int firstCode,
      int stride,
      double[] sums,
      int to,
      int bytes) {
    for (int i = 0; i < bytes; i++) {
      double sum = sums[to + i];
      int code = firstCode;
      for (int tree = from; tree < end; tree++, code += stride) {
        double[] leaves = tables[tree];
        sum = accumulator.add(sum, leaves[(int) (codes[code] >>> 8 * i) & leaves.length - 1]);
      }
      sums[to + i] = sum;
    }
  }

  /**
   * Adds leaf values to the sums of eight or fewer documents, for leaf codes of two bytes. Each
   * tree has rows with the low bytes of the codes, and then rows with the high bytes.
   */
  private void addWide(
      int from,
      int end,
      long[] codes,
      int firstCode,
      int stride,
      double[] sums,
      int to,
      int bytes) {
    for (int i = 0; i < bytes; i++) {
      double sum = sums[to + i];
      int code = firstCode;
      for (int tree = from; tree < end; tree++, code += 2 * stride) {
        double[] leaves = tables[tree];
        int low = (int) (codes[code] >>> 8 * i) & 0xFF;
        int high = (int) (codes[code + stride] >>> 8 * i);
        sum = accumulator.add(sum, leaves[(high << 8 | low) & leaves.length - 1]);
      }
      sums[to + i] = sum;
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
    long bytes = 0;
    for (double[] leaves : tables) {
      bytes += ARRAY_BYTES + 8L * leaves.length;
    }
    return bytes;
  }
}
