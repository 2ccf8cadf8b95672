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
 * vQS: QuickScorer with one document per lane. A split is compared with the values of a whole group
 * of documents at once, and its mask is applied under the comparison's result; the scan of a
 * feature's thresholds ends when no document of the group has a false node any more.
 *
 * <p>Layout: see {@link LaneBlock}. Up to 1024 leaves per tree: a bitvector is as many 32-bit words
 * as its tree needs, and a mask is applied only to the words it changes, mostly one. Trees are
 * taken in blocks of about {@value #WORDS_PER_BLOCK} words, so that a group's bitvectors stay in
 * the first-level cache.
 *
 * <p>Source: Lucchese, Nardini, Orlando, Perego, Tonellotto, Venturini, "Exploiting CPU SIMD
 * Extensions to Speed-up Document Scoring with Tree Ensembles", SIGIR 2016, section 3.
 */
public final class VectorQuickScorer implements BlockScorer {
  /** Most leaves of a tree. */
  public static final int MAX_LEAVES = 1024;

  private static final int WORDS_PER_BLOCK = 512;

  /** Kernels by vector width, one copy each for all ensembles, so that they share compiled code. */
  private static final Map<Integer, LaneKernel> KERNELS =
      VectorSupport.widths().stream()
          .collect(
              Collectors.toMap(
                  bits -> bits,
                  bits -> Specialized.forWidth(WordLanes.class, LaneKernel.class, bits)));

  private final TreeEnsemble ensemble;
  private final Algorithm algorithm;
  private final LaneKernel kernel;
  private final LaneBlock[] blocks;

  private VectorQuickScorer(
      TreeEnsemble ensemble, Algorithm algorithm, LaneKernel kernel, LaneBlock[] blocks) {
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
  public static VectorQuickScorer compile(TreeEnsemble ensemble, int bits) {
    int wordsPerTree = Math.ceilDiv(ensemble.shape().maxLeaves(), Integer.SIZE);
    return compile(ensemble, bits, Math.ceilDiv(WORDS_PER_BLOCK, wordsPerTree));
  }

  /** The same with a given number of trees per block, 1 or more. */
  public static VectorQuickScorer compile(TreeEnsemble ensemble, int bits, int treesPerBlock) {
    Algorithm algorithm = algorithm(bits);
    String why = VectorSupport.unavailable(bits);
    if (!why.isEmpty()) {
      throw new UnsupportedEnsembleException(algorithm + ": " + why);
    }
    if (!supports(ensemble.shape())) {
      throw UnsupportedEnsembleException.tooManyLeaves("VectorQuickScorer", ensemble, MAX_LEAVES);
    }
    LaneKernel kernel = Objects.requireNonNull(KERNELS.get(bits));
    LaneBlock[] blocks =
        Arrays.stream(FalseNodes.blocks(ensemble, treesPerBlock, Integer.SIZE))
            .map(block -> LaneBlock.of(block, kernel.lanes()))
            .toArray(LaneBlock[]::new);
    return new VectorQuickScorer(ensemble, algorithm, kernel, blocks);
  }

  private static Algorithm algorithm(int bits) {
    return switch (bits) {
      case 128 -> Algorithm.VQS_128;
      case 256 -> Algorithm.VQS_256;
      case 512 -> Algorithm.VQS_512;
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
    return Arrays.stream(blocks).mapToLong(LaneBlock::bytes).sum();
  }

  @Override
  public Scratch newScratch() {
    int lanes = kernel.lanes();
    int words = Arrays.stream(blocks).mapToInt(block -> block.falseNodes().words()).max().orElse(0);
    return new LaneScratch(new int[(words + 1) * lanes], new float[lanes], new double[lanes]);
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
    kernel.add(blocks[unit], matrix, from, to, (LaneScratch) scratch, accumulator, sums);
  }
}
