package io.quickscorer.scorer.plan;

import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.Scratch;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the fastest {@link ScoringPlan} for a batch size on this machine, by guided sampling: of
 * the 28 range cases the cost formulas keep a few, of each a few block sizes are timed on sampled
 * documents, and the fastest wins. For engines whose scorers are tree blocks, engines with several
 * block sizes are candidates side by side: the outer loop over tau.
 *
 * <p>The budget is held by halving: all candidates are timed once, the slower half is dropped, and
 * so on; when the time is over, the best so far is the answer.
 *
 * <p>Source: Jin, Yang, Tang, "A Comparison of Cache Blocking Methods for Fast Execution of
 * Ensemble-based Score Computation", SIGIR 2016, sections 4.2 and 5.3.
 */
public final class PlanSearch {
  /** Candidates are compared in the thread's own time: other threads may be busy meanwhile. */
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  private static final double[] SHARES = {1, 0.75, 0.5, 0.25};

  /** Two rounds of the last candidates are compared by their minimum. */
  private static final int FINALISTS = 2;

  private final CacheSizes caches;
  private final FeatureMatrix sample;

  /**
   * @param sample documents like those to come, as many as a batch has; 1 or more
   */
  public PlanSearch(CacheSizes caches, FeatureMatrix sample) {
    if (sample.documents() < 1) {
      throw new IllegalArgumentException("no sampled documents");
    }
    this.caches = caches;
    this.sample = sample;
  }

  /**
   * What was found.
   *
   * @param scorer the engine under the best plan
   * @param nanosPerDocument its time, the least of its turns
   * @param tried plans that were candidates; a short budget may not reach all of them
   */
  public record Found(PlannedScorer scorer, double nanosPerDocument, int tried) {}

  /** The best plan among those the cost formulas suggest. */
  public Found guided(List<? extends BlockScorer> engines, long budgetNanos) {
    List<List<PlannedScorer>> candidates = new ArrayList<>();
    for (BlockScorer engine : engines) {
      RangeCase.Sizes sizes = sizes(engine);
      Map<ScoringPlan, PlannedScorer> plans = new LinkedHashMap<>();
      addPlans(engine, sizes, RangeCase.candidates(sizes), plans);
      candidates.add(List.copyOf(plans.values()));
    }
    return fastest(interleaved(candidates), budgetNanos);
  }

  /** The best of all 28 range cases and of block sizes by powers of two; takes its time. */
  public Found exhaustive(List<? extends BlockScorer> engines, long budgetNanos) {
    List<List<PlannedScorer>> candidates = new ArrayList<>();
    for (BlockScorer engine : engines) {
      Map<ScoringPlan, PlannedScorer> plans = new LinkedHashMap<>();
      addPlans(engine, sizes(engine), RangeCase.all(), plans);
      for (LoopOrder order : LoopOrder.values()) {
        for (int d = engine.granule(); d < 2 * sample.documents(); d *= 2) {
          for (int s = 1; s < 2 * engine.units(); s *= 2) {
            add(engine, order, d, s, plans);
          }
        }
      }
      candidates.add(List.copyOf(plans.values()));
    }
    return fastest(interleaved(candidates), budgetNanos);
  }

  /** One of each list in turn, so that a short budget still meets every engine. */
  private static List<PlannedScorer> interleaved(List<List<PlannedScorer>> lists) {
    List<PlannedScorer> all = new ArrayList<>();
    int longest = lists.stream().mapToInt(List::size).max().orElse(0);
    for (int i = 0; i < longest; i++) {
      for (List<PlannedScorer> list : lists) {
        if (i < list.size()) {
          all.add(list.get(i));
        }
      }
    }
    return all;
  }

  private RangeCase.Sizes sizes(BlockScorer engine) {
    EnsembleShape shape = engine.ensemble().shape();
    return new RangeCase.Sizes(
        caches,
        Math.max(1, (double) Float.BYTES * shape.usedFeatures()),
        Math.max(1, (double) engine.bytes() / engine.units()),
        sample.documents(),
        engine.units());
  }

  private static void addPlans(
      BlockScorer engine,
      RangeCase.Sizes sizes,
      List<RangeCase> cases,
      Map<ScoringPlan, PlannedScorer> candidates) {
    for (RangeCase range : cases) {
      for (double share : SHARES) {
        int d = sizes.documentsOf(Math.max(1, range.documentLevel()), share);
        int s = sizes.unitsOf(Math.max(1, range.unitLevel()), share);
        add(engine, range.order(), d, s, candidates);
      }
    }
  }

  /** Adds a plan unless one of the same effect is there. */
  private static void add(
      BlockScorer engine,
      LoopOrder order,
      int d,
      int s,
      Map<ScoringPlan, PlannedScorer> candidates) {
    boolean blocksOfDocuments = order != LoopOrder.DS && order != LoopOrder.SDS;
    boolean blocksOfUnits = order != LoopOrder.DS && order != LoopOrder.DSD;
    int granule = engine.granule();
    ScoringPlan plan =
        new ScoringPlan(
            engine.algorithm(),
            engine.treesPerUnit(),
            order,
            blocksOfDocuments ? Math.ceilDiv(d, granule) * granule : 1,
            blocksOfUnits ? Math.min(s, engine.units()) : 1);
    candidates.computeIfAbsent(plan, key -> new PlannedScorer(engine, key));
  }

  private static final class Candidate {
    final PlannedScorer scorer;
    final Scratch scratch;
    long least = Long.MAX_VALUE;

    Candidate(PlannedScorer scorer) {
      this.scorer = scorer;
      this.scratch = scorer.newScratch();
    }
  }

  private Found fastest(List<PlannedScorer> scorers, long budgetNanos) {
    long end = System.nanoTime() + budgetNanos;
    List<Candidate> candidates = new ArrayList<>();
    for (PlannedScorer scorer : scorers) {
      candidates.add(new Candidate(scorer));
    }
    int tried = candidates.size();
    double[] scores = new double[sample.documents()];
    do {
      for (Candidate candidate : candidates) {
        long start = CPU.getCurrentThreadCpuTime();
        candidate.scorer.score(sample, candidate.scratch, scores);
        long time = CPU.getCurrentThreadCpuTime() - start;
        candidate.least = Math.min(candidate.least, time);
        if (System.nanoTime() > end) {
          break;
        }
      }
      candidates.sort(Comparator.comparingLong(candidate -> candidate.least));
      int kept = Math.max(Math.min(FINALISTS, candidates.size()), candidates.size() / 2);
      candidates = new ArrayList<>(candidates.subList(0, kept));
    } while (System.nanoTime() < end);
    Candidate best = candidates.getFirst();
    return new Found(best.scorer, (double) best.least / sample.documents(), tried);
  }
}
