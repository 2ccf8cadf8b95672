package io.quickscorer.scorer.vector;

import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.scorer.quick.FalseNodes;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * vQS: QuickScorer with one document per lane. A split is compared with the values of a whole group
 * of documents at once, and its mask is applied under the comparison's result; the scan of a
 * feature's thresholds ends when no document of the group has a false node any more.
 *
 * <p>Layout: see {@link LaneBlock}. Up to 64 leaves per tree; where no tree has more than 32, the
 * bitvectors are 32 bits wide and twice as many fit a vector. Trees are taken in blocks of {@value
 * #TREES_PER_BLOCK}, so that a group's bitvectors stay in the first-level cache.
 *
 * <p>Source: Lucchese, Nardini, Orlando, Perego, Tonellotto, Venturini, "Exploiting CPU SIMD
 * Extensions to Speed-up Document Scoring with Tree Ensembles", SIGIR 2016, section 3.
 */
public final class VectorQuickScorer implements EnsembleScorer {
  /** Most leaves of a tree. */
  public static final int MAX_LEAVES = Long.SIZE;

  private static final int TREES_PER_BLOCK = 256;

  /** Kernels by vector width, one copy each for all ensembles: compiled code is shared. */
  private static final Map<Integer, LaneKernel> NARROW = new TreeMap<>();

  private static final Map<Integer, LaneKernel> WIDE = new TreeMap<>();

  static {
    for (int bits : VectorSupport.widths()) {
      NARROW.put(bits, Specialized.forWidth(IntLaneKernel.class, LaneKernel.class, bits));
      WIDE.put(bits, Specialized.forWidth(LongLaneKernel.class, LaneKernel.class, bits));
    }
  }

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
    Algorithm algorithm = algorithm(bits);
    String why = VectorSupport.unavailable(bits);
    if (!why.isEmpty()) {
      throw new UnsupportedEnsembleException(algorithm + ": " + why);
    }
    if (!supports(ensemble.shape())) {
      throw UnsupportedEnsembleException.tooManyLeaves("VectorQuickScorer", ensemble, MAX_LEAVES);
    }
    boolean narrow = ensemble.shape().maxLeaves() <= Integer.SIZE;
    LaneKernel kernel = Objects.requireNonNull((narrow ? NARROW : WIDE).get(bits));
    LaneBlock[] blocks =
        Arrays.stream(FalseNodes.blocks(ensemble, TREES_PER_BLOCK))
            .map(block -> LaneBlock.of(block, kernel.lanes(), narrow))
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
    return kernel.newScratch(blocks[0].falseNodes().trees());
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores) {
    checkArguments(matrix, scores);
    int documents = matrix.documents();
    Arrays.fill(scores, 0, documents, ensemble.initialScore());
    for (LaneBlock block : blocks) {
      kernel.add(block, matrix, (LaneScratch) scratch, ensemble.accumulator(), scores);
    }
    for (int document = 0; document < documents; document++) {
      scores[document] = ensemble.rawScore(scores[document]);
    }
  }
}
