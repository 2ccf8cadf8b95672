// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.engine.columns.FloatOrder;
import io.quickscorer.engine.simd.SimdSpecies;
import io.quickscorer.engine.simd.Specialized;
import io.quickscorer.matrix.FeatureMatrix;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of the heavy-path scorer with vectors. In comparisons, each byte of a vector is a
 * split; when the kernel follows paths, each long is a part of a tree (piece). Each vector width
 * has its own copy of this class, see {@link Specialized}.
 */
final class SimdPathKernel implements PathKernel {
  private static final int BITS = SimdSpecies.bits(MethodHandles.lookup());
  private static final VectorSpecies<Byte> BYTES = SimdSpecies.bytes(BITS);
  private static final Class<? extends Vector<Byte>> BYTES_TYPE = BYTES.vectorType();
  private static final VectorSpecies<Integer> INTS = SimdSpecies.ints(BITS);
  private static final VectorSpecies<Long> LONGS = SimdSpecies.longs(BITS);
  private static final Class<? extends Vector<Long>> LONGS_TYPE = LONGS.vectorType();
  private static final int WIDTH = BYTES.length();

  /** Minimum number of documents whose ranks are computed together instead of one by one. */
  private static final int MIN_TOGETHER = 9;

  @Override
  public int tableSize() {
    return 2 * WIDTH;
  }

  @Override
  public void ranks(RankColumns columns, FeatureMatrix matrix, int from, int to, RankRows rows) {
    int document = from;
    while (BITS == 512 && to - document >= MIN_TOGETHER) {
      int end = Math.min(to, document + RankRows.GROUP);
      SimdGroupRanks.find(columns, matrix, document, end, rows);
      document = end;
    }
    for (; document < to; document++) {
      ranks(columns, matrix, document, rows.bytes, document * rows.rowBytes);
    }
  }

  private static void ranks(
      RankColumns columns, FeatureMatrix matrix, int document, byte[] ranks, int at) {
    int[] keys = columns.keys();
    float[] values = matrix.values();
    int stride = matrix.stride();
    for (int c = 0; c < columns.numeric(); c++) {
      float value = values[columns.features()[c] * stride + document];
      int key = FloatOrder.key(value);
      int start = columns.starts()[c];
      int block = RankColumns.FAN_OUT * exceeded(keys, start, key);
      int rank = block + exceeded(keys, start + RankColumns.FAN_OUT + block, key);
      ranks[at + c] = (byte) columns.orMissing(c, value, rank);
    }
  }

  /** Returns how many of the 16 keys from index {@code from} on are less than {@code key}. */
  private static int exceeded(int[] keys, int from, int key) {
    IntVector keyOfAll = IntVector.broadcast(INTS, key);
    int count = 0;
    for (int i = 0; i < RankColumns.FAN_OUT; i += INTS.length()) {
      IntVector block = IntVector.fromArray(INTS, keys, from + i);
      count += keyOfAll.compare(VectorOperators.GT, block).trueCount();
    }
    return count;
  }

  @Override
  public void turns(PathProgram program, int from, int end, byte[] ranks, int at, long[] turns) {
    compare(program, from, end, ranks, at, turns, 0);
    follow(program, from, end, turns, 0);
  }

  @Override
  public void turnsOfTwo(
      PathProgram program, int from, int end, byte[] ranks, int at, long[] turns) {
    int second = (end - from) * PathProgram.GROUP;
    if (BITS == 512 && inFourRegisters(program)) {
      compareTwoOfTwo(
          program, PathProgram.GROUP * from, PathProgram.GROUP * end, ranks, at, turns, second);
    } else {
      compare(program, from, end, ranks, at, turns, 0);
      compare(
          program, from, end, ranks, at + program.lanes().tables() * tableSize(), turns, second);
    }
    follow(program, from, end, turns, 0);
    follow(program, from, end, turns, second);
  }

  private static boolean inFourRegisters(PathProgram program) {
    return program.lanes().tables() == 2 && program.lanes().masks().length == 0;
  }

  /**
   * Writes the results of all splits for one document: one word per part of a tree, one bit per
   * split. A 1 bit means that the document goes right.
   */
  private static void compare(
      PathProgram program, int from, int end, byte[] ranks, int at, long[] outcomes, int to) {
    int firstPiece = PathProgram.GROUP * from;
    int endPiece = PathProgram.GROUP * end;
    int tables = program.lanes().masks().length == 0 ? program.lanes().tables() : Integer.MAX_VALUE;
    switch (tables) {
      case 2 -> compareTwo(program, firstPiece, endPiece, ranks, at, outcomes, to);
      case 3 -> compareThree(program, firstPiece, endPiece, ranks, at, outcomes, to);
      default -> compareMany(program, firstPiece, endPiece, ranks, at, outcomes, to);
    }
  }

  /** Does the work of {@link #compare} if the ranks fill two tables (four vector registers). */
  private static void compareTwo(
      PathProgram program, int from, int end, byte[] ranks, int at, long[] outcomes, int to) {
    byte[] columns = program.lanes().columns();
    byte[] bounds = program.lanes().bounds();
    long[] later = program.lanes().later();
    ByteVector low1 = ByteVector.fromArray(BYTES, ranks, at);
    ByteVector high1 = ByteVector.fromArray(BYTES, ranks, at + WIDTH);
    ByteVector low2 = ByteVector.fromArray(BYTES, ranks, at + 2 * WIDTH);
    ByteVector high2 = ByteVector.fromArray(BYTES, ranks, at + 3 * WIDTH);
    for (int piece = from; piece < end; piece++) {
      long outcome = 0;
      for (int lane = 0; lane < PathProgram.LANES; lane += WIDTH) {
        int i = piece * PathProgram.LANES + lane;
        ByteVector column = ByteVector.fromArray(BYTES, columns, i);
        VectorMask<Byte> second = VectorMask.fromLong(BYTES, later[piece] >>> lane);
        ByteVector rank =
            column.selectFrom(low1, high1).blend(column.selectFrom(low2, high2), second);
        outcome |=
            rank.compare(VectorOperators.UGE, ByteVector.fromArray(BYTES, bounds, i)).toLong()
                << lane;
      }
      outcomes[to + piece - from] = outcome;
    }
  }

  /** Does the work of {@link #compare} for two documents with two tables of ranks each. */
  private static void compareTwoOfTwo(
      PathProgram program, int from, int end, byte[] ranks, int at, long[] outcomes, int second) {
    byte[] columns = program.lanes().columns();
    byte[] bounds = program.lanes().bounds();
    long[] later = program.lanes().later();
    ByteVector lowA1 = ByteVector.fromArray(BYTES, ranks, at);
    ByteVector highA1 = ByteVector.fromArray(BYTES, ranks, at + WIDTH);
    ByteVector lowA2 = ByteVector.fromArray(BYTES, ranks, at + 2 * WIDTH);
    ByteVector highA2 = ByteVector.fromArray(BYTES, ranks, at + 3 * WIDTH);
    ByteVector lowB1 = ByteVector.fromArray(BYTES, ranks, at + 4 * WIDTH);
    ByteVector highB1 = ByteVector.fromArray(BYTES, ranks, at + 5 * WIDTH);
    ByteVector lowB2 = ByteVector.fromArray(BYTES, ranks, at + 6 * WIDTH);
    ByteVector highB2 = ByteVector.fromArray(BYTES, ranks, at + 7 * WIDTH);
    for (int piece = from; piece < end; piece++) {
      int i = piece * PathProgram.LANES;
      ByteVector column = ByteVector.fromArray(BYTES, columns, i);
      ByteVector bound = ByteVector.fromArray(BYTES, bounds, i);
      VectorMask<Byte> inSecond = VectorMask.fromLong(BYTES, later[piece]);
      outcomes[piece - from] =
          column
              .selectFrom(lowA1, highA1)
              .blend(column.selectFrom(lowA2, highA2), inSecond)
              .compare(VectorOperators.UGE, bound)
              .toLong();
      outcomes[second + piece - from] =
          column
              .selectFrom(lowB1, highB1)
              .blend(column.selectFrom(lowB2, highB2), inSecond)
              .compare(VectorOperators.UGE, bound)
              .toLong();
    }
  }

  /** Does the work of {@link #compare} if the ranks fill three tables (six vector registers). */
  private static void compareThree(
      PathProgram program, int from, int end, byte[] ranks, int at, long[] outcomes, int to) {
    byte[] columns = program.lanes().columns();
    byte[] bounds = program.lanes().bounds();
    long[] later = program.lanes().later();
    ByteVector low1 = ByteVector.fromArray(BYTES, ranks, at);
    ByteVector high1 = ByteVector.fromArray(BYTES, ranks, at + WIDTH);
    ByteVector low2 = ByteVector.fromArray(BYTES, ranks, at + 2 * WIDTH);
    ByteVector high2 = ByteVector.fromArray(BYTES, ranks, at + 3 * WIDTH);
    ByteVector low3 = ByteVector.fromArray(BYTES, ranks, at + 4 * WIDTH);
    ByteVector high3 = ByteVector.fromArray(BYTES, ranks, at + 5 * WIDTH);
    for (int piece = from; piece < end; piece++) {
      long outcome = 0;
      for (int lane = 0; lane < PathProgram.LANES; lane += WIDTH) {
        int i = piece * PathProgram.LANES + lane;
        ByteVector column = ByteVector.fromArray(BYTES, columns, i);
        VectorMask<Byte> second = VectorMask.fromLong(BYTES, later[2 * piece] >>> lane);
        VectorMask<Byte> third = VectorMask.fromLong(BYTES, later[2 * piece + 1] >>> lane);
        ByteVector rank =
            column
                .selectFrom(low1, high1)
                .blend(column.selectFrom(low2, high2), second)
                .blend(column.selectFrom(low3, high3), third);
        outcome |=
            rank.compare(VectorOperators.UGE, ByteVector.fromArray(BYTES, bounds, i)).toLong()
                << lane;
      }
      outcomes[to + piece - from] = outcome;
    }
  }

  /** Does the work of {@link #compare} for any number of tables of ranks. */
  private static void compareMany(
      PathProgram program, int from, int end, byte[] ranks, int at, long[] outcomes, int to) {
    byte[] columns = program.lanes().columns();
    byte[] masks = program.lanes().masks();
    byte[] bounds = program.lanes().bounds();
    long[] later = program.lanes().later();
    int laterTables = program.lanes().tables() - 1;
    for (int piece = from; piece < end; piece++) {
      long outcome = 0;
      for (int lane = 0; lane < PathProgram.LANES; lane += WIDTH) {
        int i = piece * PathProgram.LANES + lane;
        ByteVector column = ByteVector.fromArray(BYTES, columns, i);
        ByteVector rank =
            column.selectFrom(
                ByteVector.fromArray(BYTES, ranks, at),
                ByteVector.fromArray(BYTES, ranks, at + WIDTH));
        for (int table = 1; table <= laterTables; table++) {
          long lanes = later[piece * laterTables + table - 1] >>> lane;
          int first = at + table * 2 * WIDTH;
          ByteVector found =
              column.selectFrom(
                  ByteVector.fromArray(BYTES, ranks, first),
                  ByteVector.fromArray(BYTES, ranks, first + WIDTH));
          ByteVector before = (ByteVector) BYTES_TYPE.cast(rank);
          rank = before.blend(found, VectorMask.fromLong(BYTES, lanes));
        }
        rank = (ByteVector) BYTES_TYPE.cast(rank);
        if (masks.length > 0) {
          rank = rank.lanewise(VectorOperators.AND, ByteVector.fromArray(BYTES, masks, i));
        }
        outcome |=
            rank.compare(VectorOperators.UGE, ByteVector.fromArray(BYTES, bounds, i)).toLong()
                << lane;
      }
      outcomes[to + piece - from] = outcome;
    }
  }

  /**
   * Replaces the words of test results by words with a 1 bit at each light turn: a split at which
   * the document's path goes to the lighter child. Processes the groups [from, end) of tree parts;
   * see {@link TreePieces}.
   */
  private static void follow(PathProgram program, int from, int end, long[] turns, int at) {
    if (program.codeBits() > 0) {
      return;
    }
    int[] firstLevel = program.levels().first();
    long[] levels = program.levels().rows();
    for (int group = from; group < end; group++) {
      int first = firstLevel[group];
      int last = firstLevel[group + 1] - PathProgram.GROUP;
      int to = at + (group - from) * PathProgram.GROUP;
      for (int i = 0; i < PathProgram.GROUP; i += LONGS.length()) {
        follow(levels, first + i, last + i, turns, to + i);
      }
    }
  }

  /**
   * Does the work of the other {@code follow} for the tree parts in one vector.
   *
   * @param first the index in {@code levels} of the masks of splits whose lighter child is the left
   *     child
   * @param last the index in {@code levels} of the masks for the deepest level
   */
  private static void follow(long[] levels, int first, int last, long[] turns, int at) {
    LongVector light =
        LongVector.fromArray(LONGS, turns, at)
            .lanewise(VectorOperators.XOR, LongVector.fromArray(LONGS, levels, first));
    // With these values, the first iteration reaches all lanes.
    LongVector deeper = LongVector.broadcast(LONGS, -1);
    LongVector above = LongVector.broadcast(LONGS, 1);
    LongVector taken = LongVector.zero(LONGS);
    for (int row = first + PathProgram.GROUP; row <= last; row += PathProgram.GROUP) {
      LongVector below = (LongVector) LONGS_TYPE.cast(deeper);
      // The carry of the addition runs from just above the turn's lane through the lanes of all
      // splits below the light child. Without a turn, 0 is added, so no lane is reached.
      LongVector reached =
          below
              .lanewise(VectorOperators.ADD, (LongVector) LONGS_TYPE.cast(above))
              .lanewise(VectorOperators.XOR, below);
      LongVector level = (LongVector) LONGS_TYPE.cast(LongVector.fromArray(LONGS, levels, row));
      LongVector lanes =
          level.lanewise(VectorOperators.AND, reached).lanewise(VectorOperators.AND, light);
      LongVector turn = lanes.lanewise(VectorOperators.AND, lanes.lanewise(VectorOperators.NEG));
      taken = turn.lanewise(VectorOperators.OR, (LongVector) LONGS_TYPE.cast(taken));
      above = turn.lanewise(VectorOperators.ADD, turn);
      deeper = level.lanewise(VectorOperators.XOR, below);
    }
    ((LongVector) LONGS_TYPE.cast(taken)).intoArray(turns, at);
  }
}
