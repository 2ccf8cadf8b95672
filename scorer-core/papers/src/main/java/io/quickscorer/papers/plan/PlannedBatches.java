// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import io.quickscorer.compile.DerivedScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.Scratches;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * Scores each batch with the engine and the plan that {@link BatchPlans} contain for its size. The
 * plans are given, or {@link #plan} finds faster ones, which all threads then use at once.
 */
public final class PlannedBatches implements EnsembleScorer {
  private final List<EnsembleScorer> engines;
  private final Algorithm name;
  private volatile Routes routes;

  private PlannedBatches(List<EnsembleScorer> engines, BatchPlans plans) {
    this.engines = List.copyOf(engines);
    boolean one = engines.stream().map(EnsembleScorer::algorithm).distinct().count() == 1;
    this.name = one ? engines.getFirst().algorithm() : Algorithm.CPU;
    this.routes = Routes.of(this.engines, plans);
  }

  /**
   * Combines engines of one ensemble. The first one scores all batches with its default plan, until
   * {@link #plan} finds faster plans.
   *
   * @param engines at least 1 engine, without derived columns; {@link #close} closes them
   */
  public static PlannedBatches among(List<EnsembleScorer> engines) {
    return new PlannedBatches(engines, BatchPlans.of(Plans.own(engines.getFirst())));
  }

  /**
   * Compiles an ensemble for the engines of the given plans.
   *
   * @throws UnsupportedEnsembleException if an engine does not support the ensemble or this JVM
   * @throws IllegalArgumentException if an engine does not have the plan
   */
  public static EnsembleScorer compile(TreeEnsemble ensemble, BatchPlans plans) {
    return compile(ensemble, plans, CompileProgress.NONE);
  }

  /**
   * Compiles an ensemble and reports progress.
   *
   * @throws CancellationException if {@code progress} cancels the compilation or the thread is
   *     interrupted; the interrupt is cleared
   */
  public static EnsembleScorer compile(
      TreeEnsemble ensemble, BatchPlans plans, CompileProgress progress) {
    List<EnsembleScorer> engines = new ArrayList<>();
    boolean done = false;
    try {
      PlannedBatches planned = compile(ensemble.overColumns(), plans, engines, progress);
      progress.report(1, 1);
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
      TreeEnsemble ensemble,
      BatchPlans plans,
      List<EnsembleScorer> engines,
      CompileProgress progress) {
    List<BatchPlans.Range> ranges = new ArrayList<>();
    int all = plans.ranges().size();
    for (BatchPlans.Range range : plans.ranges()) {
      EnsembleScorer engine = null;
      for (EnsembleScorer known : engines) {
        if (Plans.isFor(known, fitted(range.plan(), known))) {
          engine = known;
        }
      }
      if (engine == null) {
        CompileProgress part =
            progress.part((double) ranges.size() / all, (ranges.size() + 1.0) / all);
        engine = Plans.compile(ensemble, range.plan(), part);
        engines.add(engine);
      }
      ScoringPlan plan = fitted(range.plan(), engine);
      Plans.under(engine, plan);
      ranges.add(new BatchPlans.Range(range.fewest(), plan));
    }
    return new PlannedBatches(engines, BatchPlans.joined(ranges));
  }

  /**
   * Returns the plan. If a unit of the plan has at least as many trees as the ensemble, returns a
   * copy with the engine's number of trees per unit.
   */
  private static ScoringPlan fitted(ScoringPlan plan, EnsembleScorer engine) {
    int trees = engine.ensemble().trees().size();
    return plan.treesPerUnit() >= trees
        ? plan.withTreesPerUnit(Plans.own(engine).treesPerUnit())
        : plan;
  }

  /** Returns the plans that are in use. */
  public BatchPlans plans() {
    return routes.plans;
  }

  /**
   * Times plans on generated documents in the calling thread, and activates the faster ones. Scores
   * remain bit-identical. Should be called when the JIT has compiled the engines. Other threads may
   * score during the call, but must not call this method.
   *
   * @param budget the time for the search; if it is cancelled, the active plans remain
   */
  public void plan(Budget budget) {
    BatchPlanner planner = new BatchPlanner(CacheSizes.ofThisMachine(), engines);
    routes = Routes.of(engines, planner.search(routes.plans, budget));
  }

  @Override
  public TreeEnsemble ensemble() {
    return engines.getFirst().ensemble();
  }

  /**
   * Returns the algorithm of the engine, or {@link Algorithm#CPU} if there are engines of several
   * algorithms.
   */
  @Override
  public Algorithm algorithm() {
    return name;
  }

  @Override
  public String engine() {
    return routes.plans.toString();
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
   * Returns the size of a scratch that is used for batches of this size only. The scratch grows
   * when another engine first scores a batch with it.
   */
  @Override
  public long scratchBytes(int documents) {
    return routes.of(documents).scorer.scratchBytes(documents);
  }

  @Override
  public void close() {
    engines.forEach(EnsembleScorer::close);
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    Route route = routes.of(matrix.documents());
    Scratch own = ((Scratches) scratch).of(route.engine, engines.get(route.engine));
    route.scorer.score(matrix, own, scores, checkpoint);
  }

  /**
   * A route: the engine and the plan for a range of batch sizes.
   *
   * @param fewest number of documents of the smallest batch of the range
   * @param engine index of the engine
   * @param scorer the engine with the plan
   */
  private record Route(int fewest, int engine, EnsembleScorer scorer) {}

  /** The plans, and a route (engine and plan) for each of their ranges. */
  private record Routes(BatchPlans plans, List<Route> all) {
    static Routes of(List<EnsembleScorer> engines, BatchPlans plans) {
      List<Route> all = new ArrayList<>();
      for (BatchPlans.Range range : plans.ranges()) {
        int engine = 0;
        while (!Plans.isFor(engines.get(engine), range.plan())) {
          engine++;
        }
        all.add(new Route(range.fewest(), engine, Plans.under(engines.get(engine), range.plan())));
      }
      return new Routes(plans, all);
    }

    Route of(int documents) {
      int route = all.size() - 1;
      while (route > 0 && documents < all.get(route).fewest) {
        route--;
      }
      return all.get(route);
    }
  }
}
