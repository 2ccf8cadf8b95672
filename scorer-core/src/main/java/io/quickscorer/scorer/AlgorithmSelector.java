package io.quickscorer.scorer;

import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.scorer.bitsliced.ProgramCompiler;
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

  /** ... or ten documents that are scored one by one. */
  private static final int FEWEST_DOCUMENTS_FOR_BITS_WITHOUT_LANES = 10;

  private AlgorithmSelector() {}

  /**
   * The fastest algorithm for batches of a size; {@link Algorithm#BIT_SLICED} means its widest form
   * that suits the batch.
   *
   * @param widths usable vector widths in bits, ascending
   * @param documents documents per batch
   * @param bits whether the ensemble can be bit-sliced at all
   */
  static Algorithm select(EnsembleShape shape, List<Integer> widths, int documents, boolean bits) {
    boolean lanes = !widths.isEmpty() && VectorQuickScorer.supports(shape);
    int fewestForBits = lanes ? FEWEST_DOCUMENTS_FOR_BITS : FEWEST_DOCUMENTS_FOR_BITS_WITHOUT_LANES;
    if (bits && ProgramCompiler.supports(shape) && documents >= fewestForBits) {
      return Algorithm.BIT_SLICED;
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
}
