// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import io.quickscorer.compile.DerivedScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.Scratches;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.ArrayList;
import java.util.List;

/**
 * Scores each batch with the engine and the plan for its size, which {@link BatchPlans} contain.
 */
public final class PlannedBatches implements EnsembleScorer {
  private final List<EnsembleScorer> engines;
  private final Algorithm name;
  private final BatchPlans plans;
  private final List<Route> routes;

  private PlannedBatches(List<EnsembleScorer> engines, BatchPlans plans) {
    this.engines = List.copyOf(engines);
    boolean one = engines.stream().map(EnsembleScorer::algorithm).distinct().count() == 1;
    this.name = one ? engines.getFirst().algorithm() : Algorithm.CPU;
    this.plans = plans;
    this.routes = plans.ranges().stream().map(this::route).toList();
  }

  /**
   * Compiles an ensemble for the engines of the given plans.
   *
   * @throws UnsupportedEnsembleException if an engine does not support the ensemble or this JVM
   * @throws IllegalArgumentException if an engine does not support its plan
   */
  public static EnsembleScorer compile(TreeEnsemble ensemble, BatchPlans plans) {
    List<EnsembleScorer> engines = new ArrayList<>();
    boolean done = false;
    try {
      PlannedBatches planned = compile(ensemble.overColumns(), plans, engines);
      done = true;
      return ensemble.derived() == null ? planned : new DerivedScorer(ensemble, planned);
    } finally {
      if (!done) {
        // Some engines may already have allocated memory on a device.
        engines.forEach(EnsembleScorer::close);
      }
    }
  }

  private static PlannedBatches compile(
      TreeEnsemble ensemble, BatchPlans plans, List<EnsembleScorer> engines) {
    List<BatchPlans.Range> ranges = new ArrayList<>();
    for (BatchPlans.Range range : plans.ranges()) {
      EnsembleScorer engine = null;
      for (EnsembleScorer known : engines) {
        if (Plans.isFor(known, fitted(range.plan(), known))) {
          engine = known;
        }
      }
      if (engine == null) {
        engine = Plans.compile(ensemble, range.plan());
        engines.add(engine);
      }
      ScoringPlan plan = fitted(range.plan(), engine);
      Plans.under(engine, plan);
      ranges.add(new BatchPlans.Range(range.fewest(), plan));
    }
    return new PlannedBatches(engines, BatchPlans.joined(ranges));
  }

  /**
   * Returns the plan, adapted to the engine: a plan with all trees in one block (unit) gets the
   * number of trees per block that the engine uses by default.
   */
  private static ScoringPlan fitted(ScoringPlan plan, EnsembleScorer engine) {
    int trees = engine.ensemble().trees().size();
    return plan.treesPerUnit() >= trees
        ? plan.withTreesPerUnit(Plans.own(engine).treesPerUnit())
        : plan;
  }

  @Override
  public TreeEnsemble ensemble() {
    return engines.getFirst().ensemble();
  }

  /** Returns the algorithm of all engines, or {@link Algorithm#CPU} if they have different ones. */
  @Override
  public Algorithm algorithm() {
    return name;
  }

  @Override
  public String engine() {
    return plans.toString();
  }

  @Override
  public boolean uses(Algorithm engine) {
    return engines.stream().anyMatch(each -> each.uses(engine));
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

  /**
   * The engine and the plan for a range of batch sizes.
   *
   * @param fewest number of documents of the smallest batch in the range
   * @param engine the index of this engine among all engines
   * @param scorer the engine with the plan
   */
  private record Route(int fewest, int engine, EnsembleScorer scorer) {}

  private Route route(BatchPlans.Range range) {
    int engine = 0;
    while (!Plans.isFor(engines.get(engine), range.plan())) {
      engine++;
    }
    return new Route(range.fewest(), engine, Plans.under(engines.get(engine), range.plan()));
  }

  private Route route(int documents) {
    int route = routes.size() - 1;
    while (route > 0 && documents < routes.get(route).fewest) {
      route--;
    }
    return routes.get(route);
  }
}
