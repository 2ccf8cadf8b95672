package io.quickscorer.scorer;

import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.scorer.bitsliced.ProgramCompiler;
import io.quickscorer.scorer.heavypath.HeavyPathScorer;
import io.quickscorer.scorer.quick.QuickScorer;
import io.quickscorer.scorer.vector.VectorQuickScorer;
import java.util.List;

/**
 * Picks an algorithm for {@link Algorithm#AUTO}. Pure: the same arguments, the same answer.
 *
 * <p>The borders are measured, on a CPU with 512-bit vectors, with LightGBM models of 1,000 trees
 * of 32, 64 and 255 leaves, all candidates interleaved in one JVM.
 */
public final class AlgorithmSelector {
  /** The choice is the same for all batches of this size and more. */
  static final int MANY_DOCUMENTS = 64;

  /** Fewer documents than this leave too many lanes idle. */
  private static final int FEWEST_DOCUMENTS_FOR_LANES = 5;

  /** A block of bits costs the same for one document as for 64, about two groups of lanes ... */
  private static final int FEWEST_DOCUMENTS_FOR_BITS = 17;

  /** ... or ten documents that are scored one by one ... */
  private static final int FEWEST_DOCUMENTS_FOR_BITS_WITHOUT_LANES = 10;

  /** ... or so many whose heavy paths are followed one by one; fewer in small trees ... */
  private static final int FEWEST_DOCUMENTS_FOR_BITS_AFTER_PATHS = 49;

  /** ... because half of the lanes are then idle. */
  private static final int FEWEST_DOCUMENTS_FOR_BITS_AFTER_PATHS_IN_SMALL_TREES = 33;

  private static final int LEAVES_OF_SMALL_TREES = 32;

  /**
   * What can be chosen from.
   *
   * @param widths usable vector widths in bits, ascending
   * @param bits whether the ensemble can be bit-sliced at all
   * @param paths whether heavy paths can be followed on 512-bit vectors
   */
  record Candidates(List<Integer> widths, boolean bits, boolean paths) {}

  private AlgorithmSelector() {}

  /**
   * The fastest algorithm for batches of a size; {@link Algorithm#BIT_SLICED} means its widest form
   * that suits the batch.
   *
   * @param documents documents per batch
   */
  static Algorithm select(EnsembleShape shape, Candidates candidates, int documents) {
    List<Integer> widths = candidates.widths;
    boolean lanes = !widths.isEmpty() && VectorQuickScorer.supports(shape);
    boolean paths = candidates.paths && HeavyPathScorer.supports(shape);
    boolean bits = candidates.bits && ProgramCompiler.supports(shape);
    if (bits && documents >= fewestForBits(shape, lanes, paths)) {
      return Algorithm.BIT_SLICED;
    }
    if (paths) {
      return Algorithm.HEAVY_PATH_512;
    }
    if (lanes && documents >= FEWEST_DOCUMENTS_FOR_LANES) {
      return switch (widths.getLast()) {
        case 128 -> Algorithm.VQS_128;
        case 256 -> Algorithm.VQS_256;
        default -> Algorithm.VQS_512;
      };
    }
    return QuickScorer.supports(shape) ? Algorithm.QS : Algorithm.STRUCT_PLUS;
  }

  private static int fewestForBits(EnsembleShape shape, boolean lanes, boolean paths) {
    if (paths) {
      return shape.maxLeaves() <= LEAVES_OF_SMALL_TREES
          ? FEWEST_DOCUMENTS_FOR_BITS_AFTER_PATHS_IN_SMALL_TREES
          : FEWEST_DOCUMENTS_FOR_BITS_AFTER_PATHS;
    }
    return lanes ? FEWEST_DOCUMENTS_FOR_BITS : FEWEST_DOCUMENTS_FOR_BITS_WITHOUT_LANES;
  }
}
