// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the fastest {@link ScoringPlan} for a batch size on this machine. Cost formulas select a
 * few of the paper's 28 cases (see {@link RangeCase}). Plans with a few block sizes of each case
 * are timed on sample documents. An engine can take part several times, with different numbers of
 * trees per block (the paper's tau).
 *
 * <p>All plans are timed once, the slower half is dropped, and the rest is timed again, until the
 * budget is used up. If all engines are block scorers of one algorithm and the budget is short,
 * only a part of the sample is used. Times are the thread's CPU time, so other threads do not
 * disturb them. Used by one thread at a time.
 *
 * <p>Source: Jin, Yang, Tang, "A Comparison of Cache Blocking Methods for Fast Execution of
 * Ensemble-based Score Computation", SIGIR 2016, sections 4.2 and 5.3.
 */
public final class PlanSearch {
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  /** Number of plans that are never dropped. They are timed up to {@link #MAX_ROUNDS} times. */
  private static final int FINALISTS = 2;

  private static final int MAX_ROUNDS = 50;

  /** Approximate time of all rounds of the search, as a multiple of the time of its first round. */
  private static final int TURNS = 2;

  /** Number of documents that are scored for a first estimate of an engine's time. */
  private static final int FIRST_LOOK = 4;

  /** Minimum number of documents for timing a plan, unless the batch has fewer. */
  private static final int MIN_DOCUMENTS = 16;

  private final CacheSizes caches;
  private final FeatureMatrix sample;
  private final double[] scores;

  /** The documents with which plans are timed: the whole sample, or its first documents. */
  private FeatureMatrix timed;

  /**
   * Creates a search for plans.
   *
   * @param caches the cache sizes of the machine
   * @param sample a batch of typical documents, at least 1
   */
  public PlanSearch(CacheSizes caches, FeatureMatrix sample) {
    if (sample.documents() < 1) {
      throw new IllegalArgumentException("found no sample documents, expected at least 1");
    }
    this.caches = caches;
    this.sample = sample;
    this.timed = sample;
    this.scores = new double[sample.documents()];
  }

  /**
   * The result of a search for a plan.
   *
   * @param scorer the engine with the fastest plan
   * @param plan the fastest plan
   * @param nanosPerDocument the shortest measured time of the fastest plan, in ns per document
   * @param tried number of plans to compare; with a short budget, not all of them were timed
   */
  public record Found(
      EnsembleScorer scorer, ScoringPlan plan, double nanosPerDocument, int tried) {}

  /** Measures the plans that the cost formulas select, and returns the fastest one. */
  public Found guided(List<? extends EnsembleScorer> engines, Budget budget) {
    List<Engine> all = new ArrayList<>();
    for (EnsembleScorer engine : engines) {
      all.add(new Engine(engine, Plans.candidates(engine, sample.documents(), caches)));
    }
    return fastest(candidates(all, affordable(all, budget)), budget);
  }

  /**
   * Measures the plans of every {@link RangeCase}, with all powers of 2 as block sizes, and returns
   * the fastest plan. This takes much longer than {@link #guided}.
   */
  public Found exhaustive(List<? extends BlockScorer> engines, Budget budget) {
    List<Engine> all = new ArrayList<>();
    int documents = sample.documents();
    for (BlockScorer engine : engines) {
      Set<ScoringPlan> plans = new LinkedHashSet<>(RangeCase.allPlans(engine, documents, caches));
      for (LoopOrder order : LoopOrder.values()) {
        for (int d = engine.granule(); d < 2 * documents; d *= 2) {
          for (int s = 1; s < 2 * engine.units(); s *= 2) {
            plans.add(RangeCase.plan(engine, order, d, s, documents));
          }
        }
      }
      all.add(new Engine(engine, List.copyOf(plans)));
    }
    return fastest(candidates(all, documents), budget);
  }

  /** An engine, the plans that are compared for it, and the buffers that these plans share. */
  private record Engine(EnsembleScorer scorer, List<ScoringPlan> plans, Scratch scratch) {
    Engine(EnsembleScorer scorer, List<ScoringPlan> plans) {
      this(scorer, plans, scorer.newScratch());
    }
  }

  private List<Candidate> candidates(List<Engine> engines, int documents) {
    timed = first(documents);
    List<List<Candidate>> candidates = new ArrayList<>();
    for (Engine engine : engines) {
      if (timed == sample) {
        // Buffers grow in the first call, whose time would otherwise count for the first plan.
        engine.scorer.score(sample, engine.scratch, scores);
      }
      candidates.add(engine.plans.stream().map(plan -> new Candidate(engine, plan)).toList());
    }
    return interleaved(candidates);
  }

  /**
   * Returns the number of sample documents with which all plans can be timed within the budget.
   * Returns the size of the whole sample unless all engines are block scorers of one algorithm:
   * other engines may take as long for one document as for 512.
   */
  private int affordable(List<Engine> engines, Budget budget) {
    Set<Algorithm> kinds = new HashSet<>();
    int documents = FIRST_LOOK;
    int fewest = MIN_DOCUMENTS;
    for (Engine engine : engines) {
      kinds.add(engine.scorer.algorithm());
      if (!(engine.scorer instanceof BlockScorer blocks) || kinds.size() > 1) {
        return sample.documents();
      }
      fewest = Math.max(fewest, blocks.granule());
    }
    while (documents < sample.documents() && !budget.isOver()) {
      FeatureMatrix few = first(documents);
      double all = 0;
      for (Engine engine : engines) {
        all += (double) time(engine.scorer, few, engine.scratch) * engine.plans.size();
      }
      // Twice as many documents take at most twice the time.
      if (2 * TURNS * all > budget.remainingNanos()) {
        break;
      }
      documents *= 2;
    }
    return Math.min(sample.documents(), Math.max(fewest, documents));
  }

  private FeatureMatrix first(int documents) {
    if (documents >= sample.documents()) {
      return sample;
    }
    FeatureMatrix few = new FeatureMatrix(sample.features(), documents);
    for (int f = 0; f < sample.features(); f++) {
      System.arraycopy(sample.values(), sample.column(f), few.values(), few.column(f), documents);
    }
    return few;
  }

  /**
   * Returns the plans of all lists in one list: the first plan of each list, then the second ones,
   * and so on. So even a short budget times plans of every engine.
   */
  private static List<Candidate> interleaved(List<List<Candidate>> lists) {
    List<Candidate> all = new ArrayList<>();
    int longest = lists.stream().mapToInt(List::size).max().orElse(0);
    for (int i = 0; i < longest; i++) {
      for (List<Candidate> list : lists) {
        if (i < list.size()) {
          all.add(list.get(i));
        }
      }
    }
    return all;
  }

  private static final class Candidate {
    final EnsembleScorer scorer;
    final ScoringPlan plan;
    final Scratch scratch;
    long minNanos = Long.MAX_VALUE;

    Candidate(Engine engine, ScoringPlan plan) {
      this.scorer = Plans.under(engine.scorer, plan);
      this.plan = plan;
      this.scratch = engine.scratch;
    }
  }

  private Found fastest(List<Candidate> candidates, Budget budget) {
    halve(candidates, budget);
    Candidate best =
        candidates.stream().min(Comparator.comparingLong(c -> c.minNanos)).orElseThrow();
    double nanosPerDocument = (double) best.minNanos / timed.documents();
    return new Found(best.scorer, best.plan, nanosPerDocument, candidates.size());
  }

  /** Times plans in rounds within the budget. Drops the slower half after each round. */
  private void halve(List<Candidate> all, Budget budget) {
    List<Candidate> candidates = new ArrayList<>(all);
    int rounds = 0;
    do {
      for (Candidate candidate : candidates) {
        candidate.minNanos =
            Math.min(candidate.minNanos, time(candidate.scorer, timed, candidate.scratch));
        if (budget.isOver()) {
          break;
        }
      }
      candidates.sort(Comparator.comparingLong(candidate -> candidate.minNanos));
      int half = Math.max(Math.min(FINALISTS, candidates.size()), candidates.size() / 2);
      candidates.subList(half, candidates.size()).clear();
      rounds++;
    } while (!budget.isOver() && rounds < MAX_ROUNDS);
  }

  private long time(EnsembleScorer scorer, FeatureMatrix matrix, Scratch scratch) {
    long start = CPU.getCurrentThreadCpuTime();
    scorer.score(matrix, scratch, scores);
    return CPU.getCurrentThreadCpuTime() - start;
  }
}
