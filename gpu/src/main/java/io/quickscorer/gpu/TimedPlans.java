// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.compile.SampleDocuments;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the plans for a model's batches on one device. A plan is a division of a batch among
 * threads. For small batches, the plans with the lowest estimates of {@link WalkCosts} are timed,
 * and the fastest one is used. For other batches, the plan with the lowest estimate is used.
 */
final class TimedPlans implements WalkPlan.Planner {
  private static final int MIN_DOCUMENTS = 32;

  /** Number of plans that are timed for one batch size. */
  private static final int TIMED = 4;

  private static final int RUNS = 3;

  /** Total time in ns after which no further batch size is measured. */
  private static final long MAX_NANOS = 100_000_000;

  /** The fastest plan for each batch size: element i is for up to 32 · 2<sup>i</sup> documents. */
  private final List<WalkPlan> fastest = new ArrayList<>();

  /** The plan that is being timed now; null if there is none. */
  private @Nullable WalkPlan tried;

  @Override
  public WalkPlan plan(GpuDevice device, WalkPlan.Work work) {
    WalkPlan current = tried;
    if (current != null) {
      return current;
    }
    int units = (Math.max(work.documents(), 1) - 1) / MIN_DOCUMENTS;
    int size = Integer.SIZE - Integer.numberOfLeadingZeros(units);
    return size < fastest.size() ? fastest.get(size) : WalkCosts.cheapest(device, work);
  }

  /**
   * Times plans for small batches. Must be called before any other call of the scorer.
   *
   * @param scorer a scorer that uses this object to choose its plans
   * @throws CudaException if the device fails
   */
  void time(GpuTraversalScorer scorer) {
    if (!SampleDocuments.fit(scorer.ensemble(), CapturedBatches.MAX_DOCUMENTS)) {
      return;
    }
    long start = System.nanoTime();
    FeatureMatrix all = SampleDocuments.of(scorer.ensemble(), CapturedBatches.MAX_DOCUMENTS);
    FeatureMatrix matrix = new FeatureMatrix(all.features(), all.documents());
    try {
      for (int size = MIN_DOCUMENTS; size <= CapturedBatches.MAX_DOCUMENTS; size *= 2) {
        matrix.setFrom(all, 0, size);
        WalkPlan best = fastest(scorer.device(), scorer.work(size), p -> millis(scorer, matrix, p));
        fastest.add(best);
        if (System.nanoTime() - start > MAX_NANOS) {
          return;
        }
      }
    } finally {
      tried = null;
    }
  }

  /**
   * Times the plans with the lowest estimates, and returns the fastest plan.
   *
   * @param millis returns the measured time of a plan in ms
   */
  static WalkPlan fastest(GpuDevice device, WalkPlan.Work work, ToDoubleFunction<WalkPlan> millis) {
    List<WalkPlan> plans = WalkCosts.ranked(device, work);
    WalkPlan best = plans.getFirst();
    double minimum = Double.POSITIVE_INFINITY;
    for (WalkPlan plan : plans.subList(0, Math.min(TIMED, plans.size()))) {
      double time = millis.applyAsDouble(plan);
      if (time < minimum) {
        best = plan;
        minimum = time;
      }
    }
    return best;
  }

  private double millis(GpuTraversalScorer scorer, FeatureMatrix matrix, WalkPlan plan) {
    double[] scores = new double[matrix.documents()];
    tried = plan;
    double minimum = Double.POSITIVE_INFINITY;
    for (int run = 0; run < RUNS; run++) {
      minimum = Math.min(minimum, scorer.scoreTimed(matrix, scores).kernels());
    }
    return minimum;
  }
}
