// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.compile.SampleDocuments;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The plans of one model on one device. For each size of a small batch it has the fastest of the
 * plans that {@link WalkCosts} estimates as the cheapest; they are timed once, after the model was
 * copied to the device and before it is used. Larger batches, and sizes for which there was no
 * time, get the cheapest plan.
 */
final class TimedPlans implements WalkPlan.Planner {
  private static final int MIN_DOCUMENTS = 32;

  /** Number of plans that are timed for one size. */
  private static final int TIMED = 4;

  private static final int RUNS = 3;

  /** Longest time for all sizes, up to the end of a run. */
  private static final long MAX_NANOS = 100_000_000;

  /** By the binary logarithm of a batch's size, rounded up, less that of the least size. */
  private final List<WalkPlan> fastest = new ArrayList<>();

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
   * Times the plans of a scorer whose planner is this; called before its first use.
   *
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

  /** Returns the fastest of the plans with the lowest costs, by a function that times a plan. */
  static WalkPlan fastest(GpuDevice device, WalkPlan.Work work, ToDoubleFunction<WalkPlan> millis) {
    List<WalkPlan> plans = WalkCosts.ranked(device, work);
    WalkPlan best = plans.getFirst();
    double least = Double.POSITIVE_INFINITY;
    for (WalkPlan plan : plans.subList(0, Math.min(TIMED, plans.size()))) {
      double time = millis.applyAsDouble(plan);
      if (time < least) {
        best = plan;
        least = time;
      }
    }
    return best;
  }

  private double millis(GpuTraversalScorer scorer, FeatureMatrix matrix, WalkPlan plan) {
    double[] scores = new double[matrix.documents()];
    tried = plan;
    double least = Double.POSITIVE_INFINITY;
    for (int run = 0; run < RUNS; run++) {
      least = Math.min(least, scorer.scoreTimed(matrix, scores).kernels());
    }
    return least;
  }
}
