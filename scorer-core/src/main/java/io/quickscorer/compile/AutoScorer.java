// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.engine.bitsliced.BitSlicedScorers;
import io.quickscorer.engine.heavypath.HeavyPathScorer;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.Scratches;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Scores each batch with the engine that is fastest for the model and the batch size.
 *
 * <p>{@link AlgorithmSelector} chooses two or three engines: the heavy-path engine or others for
 * small batches, and the bit-sliced engine for larger ones. An engine that does not support the
 * ensemble, or would be slow for it, is not used.
 */
final class AutoScorer implements EnsembleScorer {
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

  /** An engine for batch sizes from {@code minDocuments} up to the minimum of the next route. */
  private record Route(int minDocuments, EnsembleScorer engine) {}

  private final TreeEnsemble ensemble;
  private final Algorithm name;

  /** The engines with their smallest batches, ascending; the first one starts at 1 document. */
  private final Route[] routes;

  private AutoScorer(TreeEnsemble ensemble, Algorithm name, List<Route> routes) {
    this.ensemble = ensemble;
    this.name = name;
    this.routes = routes.toArray(Route[]::new);
  }

  /**
   * Compiles the engines that the selector chooses.
   *
   * @param name the value of {@link #algorithm()}: AUTO or CPU
   * @param excluded engines that must not be used
   */
  static AutoScorer compile(
      TreeEnsemble ensemble, Algorithm name, Set<Algorithm> excluded, CompileProgress progress) {
    List<Route> routes = new ArrayList<>();
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
        routes.add(new Route(documents, engine));
      }
      documents++;
    }
    return new AutoScorer(ensemble, name, routes);
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

  @Override
  public TreeEnsemble ensemble() {
    return ensemble;
  }

  @Override
  public Algorithm algorithm() {
    return name;
  }

  /** Returns the names of the engines, each with the batch size from which it is used. */
  @Override
  public String engine() {
    StringBuilder text = new StringBuilder(routes[0].engine.engine());
    for (int r = 1; r < routes.length; r++) {
      text.append(", from ").append(routes[r].minDocuments).append(" documents ");
      text.append(routes[r].engine.engine());
    }
    return text.toString();
  }

  @Override
  public boolean uses(Algorithm engine) {
    for (Route route : routes) {
      if (route.engine.uses(engine)) {
        return true;
      }
    }
    return false;
  }

  private int route(int documents) {
    int route = routes.length - 1;
    while (route > 0 && documents < routes[route].minDocuments) {
      route--;
    }
    return route;
  }

  Algorithm algorithm(int documents) {
    return routes[route(documents)].engine.algorithm();
  }

  @Override
  public long bytes() {
    long bytes = 0;
    for (Route route : routes) {
      bytes += route.engine.bytes();
    }
    return bytes;
  }

  @Override
  public Scratch newScratch() {
    return new Scratches(routes.length);
  }

  /**
   * Returns the memory, in bytes, of the buffers of the engine that scores batches of this size.
   * Buffers of the other engines are not included.
   */
  @Override
  public long scratchBytes(int documents) {
    return routes[route(documents)].engine.scratchBytes(documents);
  }

  @Override
  public void close() {
    for (Route route : routes) {
      route.engine.close();
    }
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    int route = route(matrix.documents());
    EnsembleScorer engine = routes[route].engine;
    engine.score(matrix, ((Scratches) scratch).of(route, engine), scores, checkpoint);
  }
}
