// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import io.quickscorer.compile.SampleDocuments;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the fastest engine and its fastest plan on this machine for each class of batch sizes. The
 * classes are processed in ascending order; each gets an equal part of the remaining budget. For an
 * engine, a larger batch takes at least as long as a smaller one, but not longer per document.
 * Engines that therefore must be slower than the best one, or would exceed the budget, are skipped.
 * Used by one thread at a time.
 */
final class BatchPlanner {
  /** For each class of batch sizes, the number of documents of its smallest batch. */
  private static final int[] FEWEST = {1, 2, 5, 9, 17, 33, 65, 129, 257, 513};

  /** For each class of batch sizes, the number of documents of the batch that is timed. */
  private static final int[] TYPICAL = {1, 3, 6, 12, 24, 48, 96, 192, 384, 600};

  /**
   * The time of a new plan must be below this share of the active plan's time, because a smaller
   * gain may be noise.
   */
  private static final double GAIN = 0.95;

  private final CacheSizes caches;
  private final List<EnsembleScorer> engines;

  /** For each engine, the time of the batch that was timed last, in ns. */
  private final double[] batchNanos;

  /** For each engine, the number of documents of the batch that was timed last. */
  private final int[] batchDocuments;

  /**
   * Creates a planner for the engines of an ensemble.
   *
   * @param engines the engines of one ensemble, at least 1
   */
  BatchPlanner(CacheSizes caches, List<EnsembleScorer> engines) {
    this.caches = caches;
    this.engines = List.copyOf(engines);
    this.batchNanos = new double[engines.size()];
    this.batchDocuments = new int[engines.size()];
    Arrays.fill(batchDocuments, 1);
  }

  /**
   * Searches for plans that are faster than the plans in use.
   *
   * @return the active plans, with the faster plans that were found; the active plans unchanged if
   *     the budget was cancelled
   */
  BatchPlans search(BatchPlans active, Budget budget) {
    List<BatchPlans.Range> ranges = new ArrayList<>();
    for (int i = 0; i < FEWEST.length; i++) {
      ScoringPlan plan = active.of(TYPICAL[i]);
      if (!budget.isOver() && SampleDocuments.fit(engines.getFirst().ensemble(), TYPICAL[i])) {
        plan = search(plan, TYPICAL[i], budget.part(1.0 / (FEWEST.length - i)));
      }
      ranges.add(new BatchPlans.Range(FEWEST[i], plan));
    }
    if (budget.isCancelled()) {
      return active;
    }
    return BatchPlans.joined(ranges);
  }

  private ScoringPlan search(ScoringPlan active, int documents, Budget budget) {
    double minPerDocument = Double.POSITIVE_INFINITY;
    for (int e = 0; e < batchNanos.length; e++) {
      minPerDocument = Math.min(minPerDocument, batchNanos[e] / batchDocuments[e]);
    }
    List<EnsembleScorer> candidates = new ArrayList<>();
    for (int e = 0; e < batchNanos.length; e++) {
      boolean slower = batchNanos[e] > minPerDocument * documents;
      // The first call lets the buffers grow. The second call is timed.
      double cost = 2 * batchNanos[e] / batchDocuments[e] * documents;
      boolean tried = !slower && cost <= budget.remainingNanos();
      if (tried || Plans.isFor(engines.get(e), active)) {
        candidates.add(engines.get(e));
      }
    }
    FeatureMatrix sample = SampleDocuments.of(engines.getFirst().ensemble(), documents);
    List<PlanSearch.Timed> timed =
        new PlanSearch(caches, sample).compare(candidates, active, budget);
    // In reverse order, so that the time of each engine's fastest plan is stored last and is kept.
    for (PlanSearch.Timed each : timed.reversed()) {
      int e = engines.indexOf(each.engine());
      batchNanos[e] = each.nanosPerDocument() * documents;
      batchDocuments[e] = documents;
    }
    double now =
        timed.stream()
            .filter(each -> each.plan().equals(active))
            .mapToDouble(PlanSearch.Timed::nanosPerDocument)
            .min()
            .orElse(0);
    PlanSearch.Timed fastest = timed.getFirst();
    return fastest.nanosPerDocument() < GAIN * now ? fastest.plan() : active;
  }
}
