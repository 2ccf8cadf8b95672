// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.quickscorer;

import io.quickscorer.engine.quickscorer.TreeBlockScorer;
import io.quickscorer.engine.simd.Specialized;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.ensemble.Accumulator;
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
 * RapidScorer: QuickScorer with one document per byte of a vector register. A split whose test
 * fails clears leaves by a mask; only the one or two bytes of the mask that clear leaves are stored
 * (the paper's epitome). A test that occurs in several trees is computed once. The time hardly
 * depends on the number of leaves. A vector has four times as many documents as in vQS, which uses
 * four bytes per document.
 *
 * <p>Up to 1024 leaves per tree. A block of trees has about {@value #BYTES_PER_BLOCK} bytes of
 * bitvectors per document, so that they fit the first-level cache.
 *
 * <p>Source: Ye, Zhou, Zou, Gao, Zhang, "RapidScorer: Fast Tree Ensemble Evaluation by Maximizing
 * Compactness in Data Level Parallelization", KDD 2018.
 */
public final class RapidScorer extends TreeBlockScorer<RapidBlock> {
  /** The engine's algorithms, one for each vector width, ascending. */
  public static final List<Algorithm> WIDTHS =
      List.of(
          new Algorithm("rapid-128", 128),
          new Algorithm("rapid-256", 256),
          new Algorithm("rapid-512", 512));

  public static final int MAX_LEAVES = 1024;

  private static final int BYTES_PER_BLOCK = 512;

  private static final SortedMap<Integer, RapidKernel> KERNELS =
      Specialized.forWidths(MethodHandles.lookup(), SimdRapidKernel.class, RapidKernel.class);

  private final Algorithm algorithm;
  private final RapidKernel kernel;

  private RapidScorer(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      RapidKernel kernel,
      int treesPerBlock,
      CompileProgress progress) {
    super(ensemble, treesPerBlock, Byte.SIZE, RapidBlock::of, progress);
    this.algorithm = algorithm;
    this.kernel = kernel;
  }

  /**
   * Compiles an ensemble for one vector width.
   *
   * @param bits width of the vectors: 128, 256 or 512
   * @throws UnsupportedEnsembleException if a tree has more than {@link #MAX_LEAVES} leaves, or
   *     this JVM has no vectors of that width
   */
  public static RapidScorer compile(TreeEnsemble ensemble, int bits, CompileProgress progress) {
    int bytesPerTree = Math.ceilDiv(ensemble.shape().maxLeaves(), Byte.SIZE);
    return compile(ensemble, bits, Math.ceilDiv(BYTES_PER_BLOCK, bytesPerTree), progress);
  }

  /** Compiles an ensemble with a given number of trees per block, at least 1. */
  public static RapidScorer compile(
      TreeEnsemble ensemble, int bits, int treesPerBlock, CompileProgress progress) {
    Algorithm algorithm = VectorSupport.algorithm(WIDTHS, bits);
    UnsupportedEnsembleException.checkLeaves("RapidScorer", ensemble, MAX_LEAVES);
    RapidKernel kernel = Objects.requireNonNull(KERNELS.get(bits));
    return new RapidScorer(ensemble, algorithm, kernel, treesPerBlock, progress);
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
    int bytes = (words() + 1) * lanes;
    return new RapidScratch(new byte[bytes], new byte[bytes], new float[lanes]);
  }

  @Override
  public long scratchBytes(int documents) {
    return 2L * words() * kernel.lanes();
  }

  @Override
  public void add(
      int unit, FeatureMatrix matrix, int from, int to, Scratch scratch, double[] sums) {
    Accumulator accumulator = ensemble().accumulator();
    kernel.add(block(unit), matrix, from, to, (RapidScratch) scratch, accumulator, sums);
  }
}
