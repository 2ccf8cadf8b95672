// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.engine.bitsliced.ProgramCompiler;
import io.quickscorer.engine.heavypath.HeavyPathScorer;
import io.quickscorer.engine.heavypath.PathProgram;
import io.quickscorer.engine.quickscorer.QuickScorer;
import io.quickscorer.engine.quickscorer.VectorQuickScorer;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.scorer.Algorithm;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses an algorithm for {@link Algorithm#AUTO}. The choice depends on the arguments only.
 *
 * <p>The thresholds were measured on a CPU with 512-bit vectors, with LightGBM models of 1,000
 * trees of 32, 64 and 255 leaves. Thresholds for narrower vectors were measured in JVMs without
 * wider vectors.
 */
final class AlgorithmSelector {
  /** Number of documents. All larger batches use the same engine as a batch of this size. */
  static final int MANY_DOCUMENTS = 64;

  /** Minimum batch size for the QuickScorer engine with one document per vector element (lane). */
  private static final int MIN_DOCUMENTS_FOR_LANES = 5;

  /**
   * Minimum batch size at which the bit-sliced engine is chosen over an engine with at least 16
   * lanes (documents per vector). The bit-sliced engine takes as long for one document as for 64.
   */
  private static final int MIN_DOCUMENTS_FOR_BITS = 17;

  /**
   * Minimum batch size at which the bit-sliced engine is chosen over an engine with 8 lanes
   * (documents per vector).
   */
  private static final int MIN_DOCUMENTS_FOR_BITS_AFTER_EIGHT_LANES = 9;

  /**
   * Minimum batch size at which the bit-sliced engine is chosen over an engine with 4 lanes
   * (documents per vector), or over an engine without vectors.
   */
  private static final int MIN_DOCUMENTS_FOR_BITS_AFTER_FEW_LANES = 7;

  /**
   * Minimum batch size at which the bit-sliced engine is chosen over the 512-bit heavy-path engine.
   */
  private static final int MIN_DOCUMENTS_FOR_BITS_AFTER_PATHS = 49;

  /**
   * Minimum batch size at which the bit-sliced engine is chosen over the 256-bit heavy-path engine:
   * between 12 to 15, measured on an AMD CPU, and 22, measured on an Intel CPU.
   */
  private static final int MIN_DOCUMENTS_FOR_BITS_AFTER_PATHS_OF_256_BITS = 17;

  /**
   * Minimum batch size at which the bit-sliced engine is chosen over the 128-bit heavy-path engine:
   * between 8 to 12, measured on an AMD CPU, and 13, measured on an Intel CPU.
   */
  private static final int MIN_DOCUMENTS_FOR_BITS_AFTER_PATHS_OF_128_BITS = 11;

  /**
   * Maximum number of leaves of a tree that counts as small. For small trees, the heavy-path engine
   * uses only half of its vector elements, so the bit-sliced engine is chosen over it from two
   * thirds of the batch size on.
   */
  private static final int LEAVES_OF_SMALL_TREES = 32;

  /** The width, in bits, of the widest vectors for which there are engines. */
  private static final int WIDEST = 512;

  /**
   * The engines from which one is chosen.
   *
   * @param widths usable vector widths in bits, ascending
   * @param excluded algorithms that must not be chosen: they are not available, do not support the
   *     ensemble, or the caller excludes them
   * @param walker an engine that supports every ensemble, and follows the trees one by one from the
   *     root; null if only the reference engine does so
   */
  record Candidates(List<Integer> widths, Set<Algorithm> excluded, @Nullable Algorithm walker) {
    boolean has(Algorithm algorithm) {
      return !excluded.contains(algorithm);
    }

    /**
     * Returns QuickScorer for the widest usable vectors; null if it is excluded or no width is
     * usable.
     */
    @Nullable Algorithm lanes() {
      return VectorQuickScorer.WIDTHS.reversed().stream()
          .filter(algorithm -> widths.contains(algorithm.width()) && has(algorithm))
          .findFirst()
          .orElse(null);
    }

    /** Returns the heavy-path engine for the widest usable vectors; null if none can be chosen. */
    @Nullable Algorithm paths() {
      return HeavyPathScorer.WIDTHS.reversed().stream().filter(this::has).findFirst().orElse(null);
    }
  }

  private AlgorithmSelector() {}

  /**
   * Returns the fastest algorithm for a batch size. The result {@link Algorithm#BIT_SLICED} means a
   * bit-sliced engine with or without vectors. {@link Algorithm#OBJECT} can be the result even if
   * it is in {@link Candidates#excluded}.
   *
   * @param documents the number of documents per batch, 1 or more
   */
  static Algorithm select(EnsembleShape shape, Candidates candidates, int documents) {
    Algorithm lanes = VectorQuickScorer.supports(shape) ? candidates.lanes() : null;
    Algorithm paths = HeavyPathScorer.supports(shape) ? candidates.paths() : null;
    if (paths != null && paths.width() < WIDEST && shape.maxLeaves() > PathProgram.LANES) {
      // Null if the engine is too slow, because a tree needs several steps with such vectors.
      paths = lanes == null || documents < MIN_DOCUMENTS_FOR_LANES ? paths : null;
    }
    boolean bits = candidates.has(Algorithm.BIT_SLICED) && ProgramCompiler.supports(shape);
    if (bits && documents >= minDocumentsForBits(shape, lanes, paths)) {
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

  private static int minDocumentsForBits(
      EnsembleShape shape, @Nullable Algorithm lanes, @Nullable Algorithm paths) {
    if (paths != null) {
      int documents =
          switch (paths.width()) {
            case 128 -> MIN_DOCUMENTS_FOR_BITS_AFTER_PATHS_OF_128_BITS;
            case 256 -> MIN_DOCUMENTS_FOR_BITS_AFTER_PATHS_OF_256_BITS;
            default -> MIN_DOCUMENTS_FOR_BITS_AFTER_PATHS;
          };
      return shape.maxLeaves() <= LEAVES_OF_SMALL_TREES ? (2 * documents + 1) / 3 : documents;
    }
    return switch (lanes == null ? 0 : lanes.width()) {
      case 0, 128 -> MIN_DOCUMENTS_FOR_BITS_AFTER_FEW_LANES;
      case 256 -> MIN_DOCUMENTS_FOR_BITS_AFTER_EIGHT_LANES;
      default -> MIN_DOCUMENTS_FOR_BITS;
    };
  }
}
