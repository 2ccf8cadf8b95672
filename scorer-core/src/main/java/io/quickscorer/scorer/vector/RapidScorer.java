package io.quickscorer.scorer.vector;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.scorer.quick.FalseNodes;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * RapidScorer: QuickScorer with one document per byte. Bitvectors lie byte by byte, and of a mask
 * only its epitome is kept, the bytes that are not all ones, mostly one or two of them; tests that
 * occur in several trees are merged and compared once. A vector so serves four times as many
 * documents as in vQS, and the cost hardly grows with the leaves per tree.
 *
 * <p>Layout: see {@link RapidBlock}. Up to 1024 leaves per tree. Trees are taken in blocks of about
 * {@value #BYTES_PER_BLOCK} bytes of bitvectors per document, so that those of a group stay in the
 * first-level cache.
 *
 * <p>Source: Ye, Zhou, Zou, Gao, Zhang, "RapidScorer: Fast Tree Ensemble Evaluation by Maximizing
 * Compactness in Data Level Parallelization", KDD 2018.
 */
public final class RapidScorer implements BlockScorer {
  /** Most leaves of a tree. */
  public static final int MAX_LEAVES = 1024;

  private static final int BYTES_PER_BLOCK = 512;

  /** Kernels by vector width, one copy each for all ensembles, so that they share compiled code. */
  private static final Map<Integer, RapidKernel> KERNELS =
      VectorSupport.widths().stream()
          .collect(
              Collectors.toMap(
                  bits -> bits,
                  bits -> Specialized.forWidth(ByteLanes.class, RapidKernel.class, bits)));

  private final TreeEnsemble ensemble;
  private final Algorithm algorithm;
  private final RapidKernel kernel;
  private final RapidBlock[] blocks;

  private RapidScorer(
      TreeEnsemble ensemble, Algorithm algorithm, RapidKernel kernel, RapidBlock[] blocks) {
    this.ensemble = ensemble;
    this.algorithm = algorithm;
    this.kernel = kernel;
    this.blocks = blocks;
  }

  public static boolean supports(EnsembleShape shape) {
    return shape.maxLeaves() <= MAX_LEAVES;
  }

  /**
   * @param bits width of the vectors: 128, 256 or 512
   * @throws UnsupportedEnsembleException if a tree has more than {@link #MAX_LEAVES} leaves, or
   *     this JVM has no vectors of that width
   */
  public static RapidScorer compile(TreeEnsemble ensemble, int bits) {
    int bytesPerTree = Math.ceilDiv(ensemble.shape().maxLeaves(), Byte.SIZE);
    return compile(ensemble, bits, Math.ceilDiv(BYTES_PER_BLOCK, bytesPerTree));
  }

  /** The same with a given number of trees per block, 1 or more. */
  public static RapidScorer compile(TreeEnsemble ensemble, int bits, int treesPerBlock) {
    Algorithm algorithm = algorithm(bits);
    String why = VectorSupport.unavailable(bits);
    if (!why.isEmpty()) {
      throw new UnsupportedEnsembleException(algorithm + ": " + why);
    }
    if (!supports(ensemble.shape())) {
      throw UnsupportedEnsembleException.tooManyLeaves("RapidScorer", ensemble, MAX_LEAVES);
    }
    RapidKernel kernel = Objects.requireNonNull(KERNELS.get(bits));
    RapidBlock[] blocks =
        Arrays.stream(FalseNodes.blocks(ensemble, treesPerBlock, Byte.SIZE))
            .map(RapidBlock::of)
            .toArray(RapidBlock[]::new);
    return new RapidScorer(ensemble, algorithm, kernel, blocks);
  }

  private static Algorithm algorithm(int bits) {
    return switch (bits) {
      case 128 -> Algorithm.RAPID_128;
      case 256 -> Algorithm.RAPID_256;
      case 512 -> Algorithm.RAPID_512;
      default -> throw new IllegalArgumentException(bits + " bits, expected 128, 256 or 512");
    };
  }

  @Override
  public TreeEnsemble ensemble() {
    return ensemble;
  }

  @Override
  public Algorithm algorithm() {
    return algorithm;
  }

  @Override
  public long bytes() {
    return Arrays.stream(blocks).mapToLong(RapidBlock::bytes).sum();
  }

  @Override
  public Scratch newScratch() {
    int lanes = kernel.lanes();
    int words = Arrays.stream(blocks).mapToInt(block -> block.falseNodes().words()).max().orElse(0);
    return new RapidScratch(
        new byte[(words + 1) * lanes], new byte[(words + 1) * lanes], new float[lanes]);
  }

  @Override
  public int units() {
    return blocks.length;
  }

  @Override
  public int treesPerUnit() {
    return blocks[0].falseNodes().trees();
  }

  @Override
  public int granule() {
    return kernel.lanes();
  }

  @Override
  public void add(
      int unit, FeatureMatrix matrix, int from, int to, Scratch scratch, double[] sums) {
    Accumulator accumulator = ensemble.accumulator();
    kernel.add(blocks[unit], matrix, from, to, (RapidScratch) scratch, accumulator, sums);
  }
}
