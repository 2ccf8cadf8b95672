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
 * Finds, for each class of batch sizes, which of several engines is the fastest on this machine and
 * under which plan. Sizes are taken in ascending order, each with an equal part of the remaining
 * budget. A larger batch costs at least as much as the last smaller one, and at most as much per
 * document: engines that must be slower than the best one, or exceed the budget, are left out. One
 * thread at a time.
 */
final class BatchPlanner {
  /** The smallest batch of each class; up to the next one's a batch costs about the same ... */
  private static final int[] FEWEST = {1, 2, 5, 9, 17, 33, 65, 129, 257, 513};

  /** ... as this one does. */
  private static final int[] TYPICAL = {1, 3, 6, 12, 24, 48, 96, 192, 384, 600};

  /** A plan must beat the one in force by this factor: less is noise. */
  private static final double GAIN = 0.95;

  private final CacheSizes caches;
  private final List<EnsembleScorer> engines;

  /** By engine: nanoseconds of the last batch that was timed, and its documents. */
  private final double[] batchNanos;

  private final int[] batchDocuments;

  /**
   * @param engines of one ensemble, 1 or more
   */
  BatchPlanner(CacheSizes caches, List<EnsembleScorer> engines) {
    this.caches = caches;
    this.engines = List.copyOf(engines);
    this.batchNanos = new double[engines.size()];
    this.batchDocuments = new int[engines.size()];
    Arrays.fill(batchDocuments, 1);
  }

  /**
   * Searches for faster plans than the present ones.
   *
   * @return the better ones; those in force if the budget was cancelled or nothing is faster
   */
  BatchPlans search(BatchPlans inForce, Budget budget) {
    List<BatchPlans.Range> ranges = new ArrayList<>();
    for (int i = 0; i < FEWEST.length; i++) {
      ScoringPlan plan = inForce.of(TYPICAL[i]);
      if (!budget.isOver() && SampleDocuments.fit(engines.getFirst().ensemble(), TYPICAL[i])) {
        plan = search(plan, TYPICAL[i], budget.part(1.0 / (FEWEST.length - i)));
      }
      ranges.add(new BatchPlans.Range(FEWEST[i], plan));
    }
    if (budget.isCancelled()) {
      return inForce;
    }
    return BatchPlans.joined(ranges);
  }

  private ScoringPlan search(ScoringPlan inForce, int documents, Budget budget) {
    double leastPerDocument = Double.POSITIVE_INFINITY;
    for (int e = 0; e < batchNanos.length; e++) {
      leastPerDocument = Math.min(leastPerDocument, batchNanos[e] / batchDocuments[e]);
    }
    List<EnsembleScorer> candidates = new ArrayList<>();
    for (int e = 0; e < batchNanos.length; e++) {
      boolean slower = batchNanos[e] > leastPerDocument * documents;
      // Once for its buffers, and once to be timed.
      double cost = 2 * batchNanos[e] / batchDocuments[e] * documents;
      boolean tried = !slower && cost <= budget.remainingNanos();
      if (tried || Plans.isFor(engines.get(e), inForce)) {
        candidates.add(engines.get(e));
      }
    }
    FeatureMatrix sample = SampleDocuments.of(engines.getFirst().ensemble(), documents);
    List<PlanSearch.Timed> timed =
        new PlanSearch(caches, sample).compare(candidates, inForce, budget);
    // The fastest plan of an engine comes last, and stays.
    for (PlanSearch.Timed each : timed.reversed()) {
      int e = engines.indexOf(each.engine());
      batchNanos[e] = each.nanosPerDocument() * documents;
      batchDocuments[e] = documents;
    }
    double now =
        timed.stream()
            .filter(each -> each.plan().equals(inForce))
            .mapToDouble(PlanSearch.Timed::nanosPerDocument)
            .min()
            .orElse(0);
    PlanSearch.Timed fastest = timed.getFirst();
    return fastest.nanosPerDocument() < GAIN * now ? fastest.plan() : inForce;
  }
}
