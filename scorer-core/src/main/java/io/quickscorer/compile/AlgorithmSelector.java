// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.engine.bitsliced.ProgramCompiler;
import io.quickscorer.engine.heavypath.HeavyPathScorer;
import io.quickscorer.engine.heavypath.HeavyPathScorers;
import io.quickscorer.engine.heavypath.PathProgram;
import io.quickscorer.engine.quickscorer.QuickScorer;
import io.quickscorer.engine.quickscorer.VectorQuickScorer;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.scorer.Algorithm;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Picks an algorithm for {@link Algorithm#AUTO}. A pure function of its arguments.
 *
 * <p>The thresholds were measured on a CPU with 512-bit vectors, with LightGBM models of 1,000
 * trees of 32, 64 and 255 leaves, all candidates interleaved in one JVM, and those for narrower
 * vectors in JVMs that used no wider ones.
 */
final class AlgorithmSelector {
  /** Batches of this size and more all get the same choice. */
  static final int MANY_DOCUMENTS = 64;

  /** Fewer documents than this leave too many lanes idle. */
  private static final int MIN_DOCUMENTS_FOR_LANES = 5;

  /**
   * Smallest batch for the bit-sliced engine: its block takes as long for one document as for 64,
   * about as long as two groups of 16 lanes ...
   */
  private static final int MIN_DOCUMENTS_FOR_BITS = 17;

  /** ... or two groups of eight ... */
  private static final int MIN_DOCUMENTS_FOR_BITS_AFTER_EIGHT_LANES = 9;

  /** ... or two groups of four, or seven documents that are scored one by one ... */
  private static final int MIN_DOCUMENTS_FOR_BITS_AFTER_FEW_LANES = 7;

  /**
   * ... or as long as the heavy-path engine takes for this many documents, one by one; fewer in
   * small trees ...
   */
  private static final int MIN_DOCUMENTS_FOR_BITS_AFTER_PATHS = 49;

  /** ... because half of the lanes are then idle. */
  private static final int MIN_DOCUMENTS_FOR_BITS_AFTER_PATHS_IN_SMALL_TREES = 33;

  /** ... or as follow heavy paths on narrow vectors, in several steps each. */
  private static final int MIN_DOCUMENTS_FOR_BITS_AFTER_PATHS_OF_256_BITS = 12;

  private static final int MIN_DOCUMENTS_FOR_BITS_AFTER_PATHS_OF_128_BITS = 9;

  private static final int LEAVES_OF_SMALL_TREES = 32;

  /** Width of the vectors for which the CPU has its own byte permutes. */
  private static final int WIDEST = 512;

  /**
   * The engines to choose from.
   *
   * @param widths usable vector widths in bits, ascending
   * @param excluded algorithms that must not be chosen: not available here, not for this ensemble,
   *     or not wanted by the caller
   * @param walker an engine that takes every ensemble and walks its trees one by one, or null if
   *     only the reference does
   */
  record Candidates(List<Integer> widths, Set<Algorithm> excluded, @Nullable Algorithm walker) {
    boolean has(Algorithm algorithm) {
      return !excluded.contains(algorithm);
    }

    /** Returns QuickScorer on the widest vectors, or null. */
    @Nullable Algorithm lanes() {
      for (int width : widths.reversed()) {
        Algorithm algorithm = vqs(width);
        if (has(algorithm)) {
          return algorithm;
        }
      }
      return null;
    }

    /** Returns heavy paths on the widest vectors, or null. */
    @Nullable Algorithm paths() {
      return HeavyPathScorers.WIDTHS.reversed().stream().filter(this::has).findFirst().orElse(null);
    }

    private static Algorithm vqs(int width) {
      return switch (width) {
        case 128 -> Algorithm.VQS_128;
        case 256 -> Algorithm.VQS_256;
        default -> Algorithm.VQS_512;
      };
    }
  }

  private AlgorithmSelector() {}

  /**
   * Returns the fastest algorithm for batches of a size; {@link Algorithm#BIT_SLICED} means its
   * widest form that suits the batch. {@link Algorithm#OBJECT} is never excluded.
   *
   * @param documents documents per batch
   */
  static Algorithm select(EnsembleShape shape, Candidates candidates, int documents) {
    Algorithm lanes = VectorQuickScorer.supports(shape) ? candidates.lanes() : null;
    Algorithm paths = HeavyPathScorer.supports(shape) ? candidates.paths() : null;
    if (paths != null && paths.width() < WIDEST && shape.maxLeaves() > PathProgram.LANES) {
      // Several pieces to a tree, and several permutes to a piece.
      paths = lanes == null || documents < MIN_DOCUMENTS_FOR_LANES ? paths : null;
    }
    boolean bits = candidates.has(Algorithm.BIT_SLICED) && ProgramCompiler.supports(shape);
    if (bits && documents >= fewestForBits(shape, lanes, paths)) {
      return Algorithm.BIT_SLICED;
    }
    if (paths != null) {
      return paths;
    }
    if (lanes != null && documents >= MIN_DOCUMENTS_FOR_LANES) {
      return lanes;
    }
    if (QuickScorer.supports(shape) && candidates.has(Algorithm.QS)) {
      return Algorithm.QS;
    }
    Algorithm walker = candidates.walker;
    return walker != null && candidates.has(walker) ? walker : Algorithm.OBJECT;
  }

  private static int fewestForBits(
      EnsembleShape shape, @Nullable Algorithm lanes, @Nullable Algorithm paths) {
    if (paths != null) {
      return switch (paths.width()) {
        case 128 -> MIN_DOCUMENTS_FOR_BITS_AFTER_PATHS_OF_128_BITS;
        case 256 -> MIN_DOCUMENTS_FOR_BITS_AFTER_PATHS_OF_256_BITS;
        default ->
            shape.maxLeaves() <= LEAVES_OF_SMALL_TREES
                ? MIN_DOCUMENTS_FOR_BITS_AFTER_PATHS_IN_SMALL_TREES
                : MIN_DOCUMENTS_FOR_BITS_AFTER_PATHS;
      };
    }
    return switch (lanes == null ? 0 : lanes.width()) {
      case 0, 128 -> MIN_DOCUMENTS_FOR_BITS_AFTER_FEW_LANES;
      case 256 -> MIN_DOCUMENTS_FOR_BITS_AFTER_EIGHT_LANES;
      default -> MIN_DOCUMENTS_FOR_BITS;
    };
  }
}
