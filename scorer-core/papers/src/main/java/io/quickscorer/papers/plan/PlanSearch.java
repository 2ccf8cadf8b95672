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
import org.jspecify.annotations.Nullable;

/**
 * Finds the fastest {@link ScoringPlan} for a batch size on this machine, by guided sampling: of
 * the 28 range cases the cost formulas keep a few, of each a few block sizes are timed on sampled
 * documents, and the fastest wins. For engines whose scorers are tree blocks, engines with several
 * block sizes are candidates side by side: the outer loop over tau.
 *
 * <p>The budget is held by halving: all candidates are timed once, the slower half is dropped, and
 * so on; when the time is over, the best so far is returned. If guided sampling would take longer,
 * plans of one algorithm's blocks are timed on the first documents of the batch: a few documents
 * suffice to compare its tree blocks and orders. Times are the thread's CPU time, so other threads
 * may be busy meanwhile. One thread at a time.
 *
 * <p>Source: Jin, Yang, Tang, "A Comparison of Cache Blocking Methods for Fast Execution of
 * Ensemble-based Score Computation", SIGIR 2016, sections 4.2 and 5.3.
 */
public final class PlanSearch {
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  /** Candidates that stay until the end, each timed up to {@link #MAX_ROUNDS} times. */
  private static final int FINALISTS = 2;

  private static final int MAX_ROUNDS = 50;

  /** Rounds of halving take as long as this many turns of all candidates. */
  private static final int TURNS = 2;

  /** Documents of the first estimate of an engine's time. */
  private static final int FIRST_LOOK = 4;

  /** Candidates are never timed on fewer documents, unless the batch has fewer. */
  private static final int MIN_DOCUMENTS = 16;

  private final CacheSizes caches;
  private final FeatureMatrix sample;
  private final double[] scores;

  /** The documents on which candidates are timed: the sample, or its first documents. */
  private FeatureMatrix timed;

  /**
   * @param sample documents like those to come, as many as a batch has; 1 or more
   */
  public PlanSearch(CacheSizes caches, FeatureMatrix sample) {
    if (sample.documents() < 1) {
      throw new IllegalArgumentException("no sampled documents");
    }
    this.caches = caches;
    this.sample = sample;
    this.timed = sample;
    this.scores = new double[sample.documents()];
  }

  /**
   * The result of a search for a plan.
   *
   * @param scorer the engine under the best plan
   * @param plan the plan
   * @param nanosPerDocument its time, the least of its turns
   * @param tried plans that were candidates; a short budget may not reach all of them
   */
  public record Found(
      EnsembleScorer scorer, ScoringPlan plan, double nanosPerDocument, int tried) {}

  /** Returns the fastest of the plans that the cost formulas suggest. */
  public Found guided(List<? extends EnsembleScorer> engines, Budget budget) {
    return fastest(guidedCandidates(engines, budget), budget);
  }

  private List<Candidate> guidedCandidates(List<? extends EnsembleScorer> engines, Budget budget) {
    List<Engine> all = new ArrayList<>();
    for (EnsembleScorer engine : engines) {
      all.add(new Engine(engine, Plans.candidates(engine, sample.documents(), caches)));
    }
    return candidates(all, affordable(all, budget));
  }

  /** Returns the fastest plan of all 28 range cases, with block sizes by powers of two; slow. */
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

  /** An engine, its plans to be compared, and the buffers they share. */
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
        // Buffers grow in their first call, which would count against the first plan.
        engine.scorer.score(sample, engine.scratch, scores);
      }
      candidates.add(engine.plans.stream().map(plan -> new Candidate(engine, plan)).toList());
    }
    return interleaved(candidates);
  }

  /**
   * Returns the number of documents with which the budget is enough for all turns of all
   * candidates. It is reduced only for block scorers of one kind, whose plans can be compared with
   * few documents. Other engines may take as long for one document as for 512.
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
      // Twice the documents take twice the time at most.
      if (2 * TURNS * all > budget.remainingNanos()) {
        break;
      }
      documents *= 2;
    }
    return Math.min(sample.documents(), Math.max(fewest, documents));
  }

  /** Returns the sample's first documents. */
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

  /** Takes one candidate of each list in turn, so that a short budget includes every engine. */
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
    final EnsembleScorer engine;
    final EnsembleScorer scorer;
    final ScoringPlan plan;
    final Scratch scratch;
    long least = Long.MAX_VALUE;

    Candidate(Engine engine, ScoringPlan plan) {
      this.engine = engine.scorer;
      this.scorer = Plans.under(engine.scorer, plan);
      this.plan = plan;
      this.scratch = engine.scratch;
    }
  }

  /**
   * A plan and its time.
   *
   * @param nanosPerDocument the least of its turns
   */
  record Timed(EnsembleScorer engine, ScoringPlan plan, double nanosPerDocument) {}

  /**
   * Times the candidates of {@link #guided}; the fastest comes first, and the active plan is always
   * timed.
   */
  List<Timed> compare(List<EnsembleScorer> engines, ScoringPlan inForce, Budget budget) {
    List<Candidate> candidates = guidedCandidates(engines, budget);
    candidates.sort(Comparator.comparing(candidate -> !candidate.plan.equals(inForce)));
    halve(candidates, inForce, budget);
    return candidates.stream()
        .filter(candidate -> candidate.least < Long.MAX_VALUE)
        .sorted(Comparator.comparingLong(candidate -> candidate.least))
        .map(candidate -> new Timed(candidate.engine, candidate.plan, nanosPerDocument(candidate)))
        .toList();
  }

  private Found fastest(List<Candidate> candidates, Budget budget) {
    halve(candidates, null, budget);
    Candidate best = candidates.stream().min(Comparator.comparingLong(c -> c.least)).orElseThrow();
    return new Found(best.scorer, best.plan, nanosPerDocument(best), candidates.size());
  }

  private double nanosPerDocument(Candidate candidate) {
    return (double) candidate.least / timed.documents();
  }

  /**
   * Times all candidates once, then the faster half again, and so on; at least all once. The plan
   * {@code kept} is never dropped.
   */
  private void halve(List<Candidate> all, @Nullable ScoringPlan kept, Budget budget) {
    List<Candidate> candidates = new ArrayList<>(all);
    int rounds = 0;
    do {
      for (Candidate candidate : candidates) {
        candidate.least =
            Math.min(candidate.least, time(candidate.scorer, timed, candidate.scratch));
        if (budget.isOver()) {
          break;
        }
      }
      candidates.sort(Comparator.comparingLong(candidate -> candidate.least));
      int half = Math.max(Math.min(FINALISTS, candidates.size()), candidates.size() / 2);
      List<Candidate> slower = candidates.subList(half, candidates.size());
      slower.removeIf(candidate -> !candidate.plan.equals(kept));
      rounds++;
    } while (!budget.isOver() && rounds < MAX_ROUNDS);
  }

  private long time(EnsembleScorer scorer, FeatureMatrix matrix, Scratch scratch) {
    long start = CPU.getCurrentThreadCpuTime();
    scorer.score(matrix, scratch, scores);
    return CPU.getCurrentThreadCpuTime() - start;
  }
}
