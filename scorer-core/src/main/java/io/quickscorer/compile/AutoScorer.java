// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.engine.bitsliced.BitSlicedScorers;
import io.quickscorer.engine.heavypath.HeavyPathScorer;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compiles scorers that score each batch with the engine that is fastest for the model and the
 * batch size.
 *
 * <p>{@link AlgorithmSelector} chooses two or three engines: the heavy-path engine or others for
 * small batches, and the bit-sliced engine for larger ones. An engine that does not support the
 * ensemble, or would be slow for it, is not used.
 */
final class AutoScorer {
  /**
   * Maximum number of rank tables with which the 512-bit heavy-path engine is used. A rank table is
   * two vectors that contain preprocessed feature values.
   */
  private static final int MAX_TABLES = 16;

  /**
   * Maximum number of rank tables with which a 128-bit or 256-bit heavy-path engine is used. A rank
   * table is two vectors that contain preprocessed feature values.
   */
  private static final int MAX_TABLES_IF_NARROW = 3;

  /**
   * Estimated fraction of the remaining compile work that the bit-sliced engine needs. Used to
   * report progress.
   */
  private static final double SHARE_OF_BITS = 0.9;

  /**
   * Estimated fraction of the remaining compile work that one engine needs, if it is not the
   * bit-sliced engine. Used to report progress.
   */
  private static final double SHARE_OF_OTHERS = 0.2;

  private AutoScorer() {}

  /**
   * Compiles the engines that the selector chooses.
   *
   * @param name the value of {@link EnsembleScorer#algorithm()}: AUTO or CPU
   * @param excluded engines that must not be used
   */
  static RoutedScorer compile(
      TreeEnsemble ensemble, Algorithm name, Set<Algorithm> excluded, CompileProgress progress) {
    List<EnsembleScorer> engines = new ArrayList<>();
    List<RoutedScorer.Route> routes = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    double done = 0;
    Set<Algorithm> unusable = new HashSet<>(excluded);
    for (Algorithm paths : HeavyPathScorer.WIDTHS) {
      if (!HeavyPathScorer.unavailable(paths.width()).isEmpty()) {
        unusable.add(paths);
      }
    }
    Algorithm walker = ScorerCompiler.independent(ensemble, Algorithm.OBJECT);
    AlgorithmSelector.Candidates candidates =
        new AlgorithmSelector.Candidates(VectorSupport.widths(), unusable, walker);
    Algorithm last = null;
    for (int documents = 1; documents <= AlgorithmSelector.MANY_DOCUMENTS; ) {
      Algorithm algorithm = AlgorithmSelector.select(ensemble.shape(), candidates, documents);
      if (algorithm != last) {
        double end = done + share(algorithm) * (1 - done);
        EnsembleScorer engine = candidate(ensemble, algorithm, progress.part(done, end));
        done = end;
        if (engine == null) {
          unusable.add(algorithm);
          continue;
        }
        last = algorithm;
        text.append(routes.isEmpty() ? "" : ", from " + documents + " documents ");
        text.append(engine.engine());
        routes.add(new RoutedScorer.Route(documents, engines.size(), engine));
        engines.add(engine);
      }
      documents++;
    }
    return new RoutedScorer(name, text.toString(), engines, routes);
  }

  private static double share(Algorithm algorithm) {
    return algorithm == Algorithm.BIT_SLICED ? SHARE_OF_BITS : SHARE_OF_OTHERS;
  }

  /** Returns the compiled engine; null if it does not support the ensemble or is slow for it. */
  private static @Nullable EnsembleScorer candidate(
      TreeEnsemble ensemble, Algorithm algorithm, CompileProgress progress) {
    try {
      if (algorithm == Algorithm.BIT_SLICED) {
        return BitSlicedScorers.compileAllWidths(ensemble, progress);
      }
      if (HeavyPathScorer.WIDTHS.contains(algorithm)) {
        HeavyPathScorer scorer = HeavyPathScorer.compile(ensemble, algorithm.width(), progress);
        int max = algorithm == Algorithm.HEAVY_PATH_512 ? MAX_TABLES : MAX_TABLES_IF_NARROW;
        return scorer.tables() <= max ? scorer : null;
      }
    } catch (UnsupportedEnsembleException e) {
      return null;
    }
    return ScorerCompiler.compile(ensemble, algorithm, progress);
  }
}
