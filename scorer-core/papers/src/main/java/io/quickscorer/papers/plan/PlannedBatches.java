// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import io.quickscorer.compile.DerivedScorer;
import io.quickscorer.compile.RoutedScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.ArrayList;
import java.util.List;

/**
 * Compiles scorers that score each batch with the engine and the plan for its size, which {@link
 * BatchPlans} contain.
 */
public final class PlannedBatches {
  private PlannedBatches() {}

  /**
   * Compiles an ensemble for the engines of the given plans. The scorer's algorithm is that of all
   * engines, or {@link Algorithm#CPU} if they have different ones.
   *
   * @throws UnsupportedEnsembleException if an engine does not support the ensemble or this JVM
   * @throws IllegalArgumentException if an engine does not support its plan
   */
  public static EnsembleScorer compile(TreeEnsemble ensemble, BatchPlans plans) {
    List<EnsembleScorer> engines = new ArrayList<>();
    boolean done = false;
    try {
      RoutedScorer planned = compile(ensemble.overColumns(), plans, engines);
      done = true;
      return ensemble.derived() == null ? planned : new DerivedScorer(ensemble, planned);
    } finally {
      if (!done) {
        // Some engines may already have allocated memory on a device.
        engines.forEach(EnsembleScorer::close);
      }
    }
  }

  private static RoutedScorer compile(
      TreeEnsemble ensemble, BatchPlans plans, List<EnsembleScorer> engines) {
    List<BatchPlans.Range> ranges = new ArrayList<>();
    List<RoutedScorer.Route> routes = new ArrayList<>();
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
      // Adjacent ranges with equal plans are joined.
      if (ranges.isEmpty() || !ranges.getLast().plan().equals(plan)) {
        EnsembleScorer scorer = Plans.under(engine, plan);
        ranges.add(new BatchPlans.Range(range.fewest(), plan));
        routes.add(new RoutedScorer.Route(range.fewest(), engines.indexOf(engine), scorer));
      }
    }
    boolean one = engines.stream().map(EnsembleScorer::algorithm).distinct().count() == 1;
    Algorithm name = one ? engines.getFirst().algorithm() : Algorithm.CPU;
    return new RoutedScorer(name, new BatchPlans(ranges).toString(), engines, routes);
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
}
