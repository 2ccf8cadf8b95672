// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.engine.simd.Specialized;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

/**
 * Compares all splits of a tree at once, and then finds the path: the fastest engine for single
 * documents and small batches.
 *
 * <pre>
 *   feature values of one document
 *        | 1 rank each value among its feature's thresholds: a byte
 *        v
 *   ranks                 two or more tables of bytes, in registers
 *        | 2 permute the ranks to the tree's 63 splits, compare with 63 bounds
 *        v
 *   results of splits     one word per tree, one bit per split
 *        | 3 for eight trees at once: the first light turn on each heavy path
 *        v
 *   light turns           one word per tree; the last turn identifies the exit leaf
 *        | 4 look up leaf values, add them in tree order
 *        v
 *   score
 * </pre>
 *
 * <p>A <i>light turn</i> is a step from a split to its light child, see {@link TreePieces}; {@link
 * PathProgram} describes lanes and levels. Phase 3 processes one level after the other. The lanes
 * of a path ascend, so its first light turn is the lowest set bit. The lanes of the splits below a
 * light child directly follow the lane of its parent. An addition finds these lanes: a 1 just above
 * the turn's bit is added to a word with 1 bits in the lanes of all deeper levels. The carry runs
 * through the lanes below the child. For example, if the lanes 1 and 2 are below the light child of
 * lane 0, binary 00110 + 00010 = 01000 changes them.
 *
 * <p>Oblivious trees need no phase 3: the results of a tree's levels are the number of its exit
 * leaf.
 *
 * <p>Supports trees of up to {@value #MAX_LEAVES} leaves. A tree with more than 64 leaves consists
 * of several pieces, and costs as much as several trees. A unit of {@link BlockScorer} is a block
 * of trees. With 512-bit vectors, the engine needs AVX-512 VBMI (Intel since Ice Lake, AMD since
 * Zen 4).
 *
 * <p>Source: own work. For testing all splits of a tree at once, see Nakandala et al., "A Tensor
 * Compiler for Unified Machine Learning Prediction Serving", OSDI 2020, section 4.1; for finding
 * the exit leaf in a bitvector, see Lucchese et al., "QuickScorer", SIGIR 2015.
 */
public final class HeavyPathScorer implements BlockScorer {
  /** The engine's algorithms, one for each vector width, ascending. */
  public static final List<Algorithm> WIDTHS =
      List.of(Algorithm.HEAVY_PATH_128, Algorithm.HEAVY_PATH_256, Algorithm.HEAVY_PATH_512);

  public static final int MAX_LEAVES = 1024;

  private static final SortedMap<Integer, PathKernel> KERNELS =
      Specialized.forWidths(MethodHandles.lookup(), SimdPathKernel.class, PathKernel.class);

  private final Algorithm algorithm;
  private final PathProgram program;
  private final PathKernel kernel;

  /** Number of bytes that the ranks of one document occupy. */
  private final int ranksPerDocument;

  private HeavyPathScorer(Algorithm algorithm, PathProgram program, PathKernel kernel) {
    this.algorithm = algorithm;
    this.program = program;
    this.kernel = kernel;
    this.ranksPerDocument = program.lanes().tables() * kernel.tableSize();
  }

  public static boolean supports(EnsembleShape shape) {
    return shape.maxLeaves() <= MAX_LEAVES;
  }

  /** Returns why a vector width cannot be used in this JVM; empty if it can. */
  public static String unavailable(int bits) {
    return VectorSupport.bytePermutesUnavailable(bits);
  }

  /**
   * Compiles an ensemble for one vector width.
   *
   * @param bits the width of the vectors: 128, 256 or 512
   * @throws UnsupportedEnsembleException if a tree has more than {@link #MAX_LEAVES} leaves, or a
   *     document's ranks need over 8,192 bytes (one byte for up to 255 thresholds of a feature, and
   *     one for up to eight of its category sets), or if this JVM or CPU cannot reorder bytes in
   *     vectors of that width
   */
  public static HeavyPathScorer compile(TreeEnsemble ensemble, int bits, CompileProgress progress) {
    Algorithm algorithm = VectorSupport.algorithm(WIDTHS, bits);
    String reason = unavailable(bits);
    if (!reason.isEmpty()) {
      throw new UnsupportedEnsembleException(algorithm + ": " + reason);
    }
    UnsupportedEnsembleException.checkLeaves(algorithm.label(), ensemble, MAX_LEAVES);
    PathKernel kernel = Objects.requireNonNull(KERNELS.get(bits));
    PathProgram program = PathCompiler.compile(ensemble, kernel.tableSize(), progress);
    return new HeavyPathScorer(algorithm, program, kernel);
  }

  @Override
  public TreeEnsemble ensemble() {
    return program.ensemble();
  }

  @Override
  public Algorithm algorithm() {
    return algorithm;
  }

  @Override
  public long bytes() {
    return program.bytes();
  }

  /**
   * Returns the number of tables that contain a document's ranks, 2 or more. A table is two vectors
   * of bytes. The more tables, the longer a tree takes.
   */
  public int tables() {
    return program.lanes().tables();
  }

  private static final class Buffers implements Scratch {
    /**
     * For each document, one long per part (piece) of a tree. A bit is 1 if the document's path
     * goes to the lighter child at the bit's split.
     */
    private final long[] turns;

    private final RankRows rows;

    Buffers(int pieces, RankRows rows) {
      this.turns = new long[2 * pieces];
      this.rows = rows;
    }

    @Override
    public long bytes() {
      return 8L * turns.length + rows.size();
    }
  }

  @Override
  public Scratch newScratch() {
    RankRows rows = new RankRows(ranksPerDocument, program.columns().numeric());
    return new Buffers(piecesPerBlock(), rows);
  }

  private int piecesPerBlock() {
    int groups = 0;
    int[] firstGroup = program.firstGroup();
    for (int block = 0; block < program.blocks(); block++) {
      groups = Math.max(groups, firstGroup[block + 1] - firstGroup[block]);
    }
    return groups * PathProgram.GROUP;
  }

  @Override
  public long scratchBytes(int documents) {
    return (long) documents * ranksPerDocument
        + 16L * piecesPerBlock()
        + 8L * RankRows.GROUP * program.columns().numeric();
  }

  @Override
  public int units() {
    return program.blocks();
  }

  @Override
  public int treesPerUnit() {
    return program.treesPerBlock();
  }

  @Override
  public void prepare(FeatureMatrix matrix, int from, int to, Scratch scratch) {
    Buffers buffers = (Buffers) scratch;
    RankColumns columns = program.columns();
    RankRows rows = buffers.rows;
    rows.ensure(matrix.documents());
    kernel.ranks(columns, matrix, from, to, rows);
    for (int document = from; document < to; document++) {
      columns.categories(matrix, document, rows.bytes, document * ranksPerDocument);
    }
  }

  @Override
  public void add(
      int unit, FeatureMatrix matrix, int from, int to, Scratch scratch, double[] sums) {
    Buffers buffers = (Buffers) scratch;
    int firstGroup = program.firstGroup()[unit];
    int endGroup = program.firstGroup()[unit + 1];
    int firstTree = unit * program.treesPerBlock();
    int endTree = Math.min(ensemble().trees().size(), firstTree + program.treesPerBlock());
    boolean oblivious = program.codeBits() > 0;
    boolean whole = program.exits().targets().length == 0;
    int document = from;
    for (; whole && document + 1 < to; document += 2) {
      int at = document * ranksPerDocument;
      kernel.turnsOfTwo(program, firstGroup, endGroup, buffers.rows.bytes, at, buffers.turns);
      int second = (endGroup - firstGroup) * PathProgram.GROUP;
      if (oblivious) {
        addCodesOfTwo(buffers.turns, second, firstTree, endTree, sums, document);
      } else {
        addLeavesOfTwo(buffers.turns, second, firstTree, endTree, sums, document);
      }
    }
    for (; document < to; document++) {
      int at = document * ranksPerDocument;
      kernel.turns(program, firstGroup, endGroup, buffers.rows.bytes, at, buffers.turns);
      double sum = sums[document];
      sums[document] =
          oblivious
              ? addCodes(buffers.turns, firstTree, endTree, sum)
              : whole
                  ? addLeaves(buffers.turns, firstTree, endTree, sum)
                  : addLeavesOfPieces(
                      buffers.turns, firstGroup * PathProgram.GROUP, firstTree, endTree, sum);
    }
  }

  /**
   * Adds the leaf values that a document gets from oblivious trees to {@code sum}, and returns the
   * new sum. A word of {@code outcomes} contains the leaf numbers of several trees.
   */
  private double addCodes(long[] outcomes, int from, int end, double sum) {
    Accumulator accumulator = ensemble().accumulator();
    double[] leaves = program.exits().leaves();
    int bits = program.codeBits();
    int mask = (1 << bits) - 1;
    int perPiece = PathProgram.LANES / bits;
    int tree = from;
    for (int piece = 0; tree < end; piece++) {
      long outcome = outcomes[piece];
      for (int last = Math.min(end, tree + perPiece); tree < last; tree++) {
        sum = accumulator.add(sum, leaves[(tree << bits) + ((int) outcome & mask)]);
        outcome >>>= bits;
      }
    }
    return sum;
  }

  private void addCodesOfTwo(
      long[] outcomes, int second, int from, int end, double[] sums, int document) {
    Accumulator accumulator = ensemble().accumulator();
    double[] leaves = program.exits().leaves();
    int bits = program.codeBits();
    int mask = (1 << bits) - 1;
    int perPiece = PathProgram.LANES / bits;
    double a = sums[document];
    double b = sums[document + 1];
    int tree = from;
    for (int piece = 0; tree < end; piece++) {
      long outcomeA = outcomes[piece];
      long outcomeB = outcomes[second + piece];
      for (int last = Math.min(end, tree + perPiece); tree < last; tree++) {
        a = accumulator.add(a, leaves[(tree << bits) + ((int) outcomeA & mask)]);
        b = accumulator.add(b, leaves[(tree << bits) + ((int) outcomeB & mask)]);
        outcomeA >>>= bits;
        outcomeB >>>= bits;
      }
    }
    sums[document] = a;
    sums[document + 1] = b;
  }

  /**
   * Returns the code (see {@link PathProgram}) of the leaf or piece that follows a piece on the
   * document's path: the position, counted from 1, of the highest 1 bit of {@code turns}; 0 if
   * there is none.
   */
  private static int code(long turns) {
    return Long.SIZE - Long.numberOfLeadingZeros(turns);
  }

  private double addLeaves(long[] turns, int from, int end, double sum) {
    Accumulator accumulator = ensemble().accumulator();
    int[] firstPiece = program.exits().firstPiece();
    int[] first = program.exits().first();
    double[] leaves = program.exits().leaves();
    int piece = firstPiece[from];
    for (int i = 0; i < end - from; i++) {
      sum = accumulator.add(sum, leaves[first[piece + i] + code(turns[i])]);
    }
    return sum;
  }

  /**
   * Adds to the sums of two documents the values of the leaves that they reach. The CPU can execute
   * the additions for both documents at the same time.
   */
  private void addLeavesOfTwo(
      long[] turns, int second, int from, int end, double[] sums, int document) {
    Accumulator accumulator = ensemble().accumulator();
    int[] first = program.exits().first();
    double[] leaves = program.exits().leaves();
    int piece = program.exits().firstPiece()[from];
    double a = sums[document];
    double b = sums[document + 1];
    for (int i = 0; i < end - from; i++) {
      int exit = first[piece + i];
      a = accumulator.add(a, leaves[exit + code(turns[i])]);
      b = accumulator.add(b, leaves[exit + code(turns[second + i])]);
    }
    sums[document] = a;
    sums[document + 1] = b;
  }

  private double addLeavesOfPieces(long[] turns, int firstPiece, int from, int end, double sum) {
    Accumulator accumulator = ensemble().accumulator();
    PathProgram.Exits exits = program.exits();
    int[] first = exits.first();
    int[] targets = exits.targets();
    for (int t = from; t < end; t++) {
      int piece = exits.firstPiece()[t];
      int target = 0;
      for (int step = exits.steps()[t]; step > 0; step--) {
        target = targets[first[piece] + code(turns[piece - firstPiece])];
        // All bits are 1 if another part of the tree follows, and 0 at a leaf. This avoids a
        // branch.
        int further = target >> 31;
        piece = ~target & further | piece & ~further;
      }
      sum = accumulator.add(sum, exits.leaves()[target]);
    }
    return sum;
  }
}
