// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scores each batch with the route for its size. Safe for use by several threads as each {@link
 * EnsembleScorer} is: each thread needs a scratch of its own. Of the engines, a scratch contains
 * the buffers of those that the thread has used.
 *
 * @param engine a text that describes the engines and their batch sizes
 * @param engines the compiled engines, at least one; closed with this object
 * @param routes the routes in ascending order of their smallest batches; the first one starts at 1
 *     document
 */
public record RoutedScorer(
    Algorithm algorithm, String engine, List<EnsembleScorer> engines, List<Route> routes)
    implements EnsembleScorer {
  /**
   * The scorer for batch sizes from {@code fewest} up to the smallest batch of the next route.
   *
   * @param fewest number of documents of the smallest batch
   * @param engine the index of the scorer's engine among all engines
   * @param scorer the engine itself, or a scorer that uses the engine and its scratch
   */
  public record Route(int fewest, int engine, EnsembleScorer scorer) {}

  /** The buffers of all engines. Each engine's buffers are created at first use. */
  private static final class Scratches implements Scratch {
    private final @Nullable Scratch[] scratches;
    private @Nullable Algorithm lastEngine;

    Scratches(int engines) {
      scratches = new Scratch[engines];
    }

    /** Returns the buffers for one engine, and records that this engine scores the next batch. */
    Scratch of(int index, EnsembleScorer engine) {
      lastEngine = engine.algorithm();
      Scratch scratch = scratches[index];
      if (scratch == null) {
        scratch = engine.newScratch();
        scratches[index] = scratch;
      }
      return scratch;
    }

    @Override
    public @Nullable Algorithm lastEngine() {
      return lastEngine;
    }

    @Override
    public long bytes() {
      long bytes = 0;
      for (Scratch scratch : scratches) {
        bytes += scratch == null ? 0 : scratch.bytes();
      }
      return bytes;
    }
  }

  public RoutedScorer {
    engines = List.copyOf(engines);
    routes = List.copyOf(routes);
  }

  @Override
  public TreeEnsemble ensemble() {
    return engines.getFirst().ensemble();
  }

  @Override
  public boolean uses(Algorithm other) {
    for (EnsembleScorer each : engines) {
      if (each.uses(other)) {
        return true;
      }
    }
    return false;
  }

  private Route route(int documents) {
    int route = routes.size() - 1;
    while (route > 0 && documents < routes.get(route).fewest) {
      route--;
    }
    return routes.get(route);
  }

  Algorithm algorithm(int documents) {
    return route(documents).scorer.algorithm();
  }

  @Override
  public long bytes() {
    return engines.stream().mapToLong(EnsembleScorer::bytes).sum();
  }

  @Override
  public Scratch newScratch() {
    return new Scratches(engines.size());
  }

  /**
   * Returns the memory, in bytes, of the buffers of the engine that scores batches of this size.
   * Buffers of the other engines are not included.
   */
  @Override
  public long scratchBytes(int documents) {
    return route(documents).scorer.scratchBytes(documents);
  }

  @Override
  public void close() {
    engines.forEach(EnsembleScorer::close);
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    Route route = route(matrix.documents());
    Scratch own = ((Scratches) scratch).of(route.engine, engines.get(route.engine));
    route.scorer.score(matrix, own, scores, checkpoint);
  }
}
