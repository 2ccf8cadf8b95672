package io.quickscorer.scorer;

import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.scorer.quick.QuickScorer;
import io.quickscorer.scorer.vector.VectorQuickScorer;
import java.util.List;

/** Picks an algorithm for {@link Algorithm#AUTO}. Pure: the same arguments, the same answer. */
public final class AlgorithmSelector {
  /** Fewer documents than this leave too many lanes idle. */
  private static final int FEWEST_DOCUMENTS_FOR_LANES = 4;

  private AlgorithmSelector() {}

  /**
   * The fastest algorithm for calls of a size.
   *
   * @param widths usable vector widths in bits, ascending
   * @param documents documents per call
   */
  public static Algorithm select(EnsembleShape shape, List<Integer> widths, int documents) {
    if (!widths.isEmpty()
        && documents >= FEWEST_DOCUMENTS_FOR_LANES
        && VectorQuickScorer.supports(shape)) {
      return switch (widths.getLast()) {
        case 128 -> Algorithm.VQS_128;
        case 256 -> Algorithm.VQS_256;
        default -> Algorithm.VQS_512;
      };
    }
    return QuickScorer.supports(shape) ? Algorithm.QS : Algorithm.STRUCT_PLUS;
  }
}
