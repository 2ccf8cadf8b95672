// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.engine.simd.Specialized;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

/**
 * vQS: {@link QuickScorer} with one document per lane (part) of a vector. A threshold is compared
 * with the values of a group of documents at once. A mask then clears leaves of the documents whose
 * test fails. The scan of a feature ends at the first split whose test succeeds for all documents.
 *
 * <p>Layout: see {@link LaneBlock}. Supports up to 1,024 leaves per tree; a mask is applied only to
 * the words that it changes, usually one. Trees form blocks of about {@value #WORDS_PER_BLOCK}
 * words, so that the bitvectors of a group stay in the first-level cache.
 *
 * <p>Source: Lucchese, Nardini, Orlando, Perego, Tonellotto, Venturini, "Exploiting CPU SIMD
 * Extensions to Speed-up Document Scoring with Tree Ensembles", SIGIR 2016, section 3.
 */
public final class VectorQuickScorer extends TreeBlockScorer<LaneBlock> {
  /** The engine's algorithms, one for each vector width, ascending. */
  public static final List<Algorithm> WIDTHS =
      List.of(Algorithm.VQS_128, Algorithm.VQS_256, Algorithm.VQS_512);

  public static final int MAX_LEAVES = 1024;

  private static final int WORDS_PER_BLOCK = 512;

  private static final SortedMap<Integer, LaneKernel> KERNELS =
      Specialized.forWidths(MethodHandles.lookup(), SimdLaneKernel.class, LaneKernel.class);

  private final Algorithm algorithm;
  private final LaneKernel kernel;

  private VectorQuickScorer(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      LaneKernel kernel,
      int treesPerBlock,
      CompileProgress progress) {
    super(
        ensemble,
        treesPerBlock,
        Integer.SIZE,
        block -> LaneBlock.of(block, kernel.lanes()),
        progress);
    this.algorithm = algorithm;
    this.kernel = kernel;
  }

  public static boolean supports(EnsembleShape shape) {
    return shape.maxLeaves() <= MAX_LEAVES;
  }

  /**
   * Compiles an ensemble for one vector width.
   *
   * @param bits the width of the vectors: 128, 256 or 512
   * @throws UnsupportedEnsembleException if a tree has more than {@link #MAX_LEAVES} leaves, or
   *     this JVM has no vectors of that width
   */
  public static VectorQuickScorer compile(
      TreeEnsemble ensemble, int bits, CompileProgress progress) {
    int wordsPerTree = Math.ceilDiv(ensemble.shape().maxLeaves(), Integer.SIZE);
    return compile(ensemble, bits, Math.ceilDiv(WORDS_PER_BLOCK, wordsPerTree), progress);
  }

  /** Compiles an ensemble with a given number of trees per block, 1 or more. */
  public static VectorQuickScorer compile(
      TreeEnsemble ensemble, int bits, int treesPerBlock, CompileProgress progress) {
    Algorithm algorithm = VectorSupport.algorithm(WIDTHS, bits);
    UnsupportedEnsembleException.checkLeaves("VectorQuickScorer", ensemble, MAX_LEAVES);
    LaneKernel kernel = Objects.requireNonNull(KERNELS.get(bits));
    return new VectorQuickScorer(ensemble, algorithm, kernel, treesPerBlock, progress);
  }

  @Override
  public Algorithm algorithm() {
    return algorithm;
  }

  @Override
  public int granule() {
    return kernel.lanes();
  }

  @Override
  public Scratch newScratch() {
    int lanes = kernel.lanes();
    return new LaneScratch(new int[(words() + 1) * lanes], new float[lanes], new double[lanes]);
  }

  @Override
  public long scratchBytes(int documents) {
    return 4L * words() * kernel.lanes();
  }

  @Override
  public void add(
      int unit, FeatureMatrix matrix, int from, int to, Scratch scratch, double[] sums) {
    Accumulator accumulator = ensemble().accumulator();
    kernel.add(block(unit), matrix, from, to, (LaneScratch) scratch, accumulator, sums);
  }
}
