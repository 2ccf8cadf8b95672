// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.quickscorer.VectorQuickScorer;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.papers.parallel.DocumentParallelScorer;
import io.quickscorer.papers.plan.CacheSizes;
import io.quickscorer.papers.plan.LoopOrder;
import io.quickscorer.papers.plan.PlanSearch;
import io.quickscorer.papers.plan.Plans;
import io.quickscorer.papers.plan.ScoringPlan;
import io.quickscorer.papers.quickscorer.BlockwiseQuickScorer;
import io.quickscorer.papers.traversal.FlatTreeScorer;
import io.quickscorer.papers.traversal.VPredScorer;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;

/**
 * Three claims about order and threads, each within one JVM: the guided plan against the exhaustive
 * one and against no blocking, vQS on two threads against one, small queries joined against one by
 * one. Time is the calling thread's own, but for threads, where it is the wall clock's and needs a
 * quiet machine. Arguments: trees, leaves, documents, then which of {@code plans}, {@code threads}
 * and {@code joined}; all if none is named.
 */
public final class PlanComparison {
  private static final LongSupplier CPU =
      ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime;

  private static final int TURNS = 15;

  /** The budget of a model that a node loads. */
  private static final long GUIDED_NANOS = 200_000_000;

  /** Enough for every candidate to be timed, on models of which a batch takes a second. */
  private static final long PATIENT_NANOS = 30_000_000_000L;

  private static final long EXHAUSTIVE_NANOS = 120_000_000_000L;

  private PlanComparison() {}

  public static void main(String[] args) {
    int trees = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
    int leaves = args.length > 1 ? Integer.parseInt(args[1]) : 64;
    int documents = args.length > 2 ? Integer.parseInt(args[2]) : 1000;
    TreeEnsemble ensemble = TrainedModel.sized(trees, leaves).ensemble();
    FeatureMatrix matrix = matrix(documents);
    System.out.println(CacheSizes.ofThisMachine());
    List<String> claims =
        args.length > 3
            ? List.of(args).subList(3, args.length)
            : List.of("plans", "threads", "joined");
    if (claims.contains("plans")) {
      plans("struct+", List.of(FlatTreeScorer.structPlus(ensemble, CompileProgress.NONE)), matrix);
      plans("vpred", List.of(new VPredScorer(ensemble, CompileProgress.NONE)), matrix);
      if (leaves <= BlockwiseQuickScorer.MAX_LEAVES) {
        plans("bwqs", blockwise(ensemble), matrix);
      }
    }
    if (claims.contains("threads") && !VectorSupport.widths().isEmpty()) {
      threads(ensemble, matrix);
    }
    if (claims.contains("joined")) {
      joined(ensemble, leaves);
    }
  }

  private static void joined(TreeEnsemble ensemble, int leaves) {
    List<Algorithm> engines = new ArrayList<>(List.of(Algorithm.CPU));
    if (leaves <= BlockwiseQuickScorer.MAX_LEAVES) {
      engines.add(Algorithm.QS);
    }
    VectorSupport.widths().forEach(bits -> engines.add(Engines.named("vqs-" + bits)));
    engines.forEach(engine -> joined(ensemble, engine));
  }

  private static FeatureMatrix matrix(int documents) {
    return FeatureMatrix.ofRows(TrainedModel.rows(documents), TrainedModel.FEATURES);
  }

  private static List<BlockScorer> blockwise(TreeEnsemble ensemble) {
    List<BlockScorer> engines = new ArrayList<>();
    for (int tau : new int[] {50, 100, 200, 400, 1000}) {
      engines.add(BlockwiseQuickScorer.compile(ensemble, tau, CompileProgress.NONE));
    }
    return engines;
  }

  private static void plans(
      String name, List<? extends BlockScorer> engines, FeatureMatrix matrix) {
    BlockScorer last = engines.getLast();
    EnsembleScorer unblocked =
        Plans.under(
            last, new ScoringPlan(last.algorithm(), last.treesPerUnit(), LoopOrder.DS, 1, 1));
    PlanSearch search = new PlanSearch(CacheSizes.ofThisMachine(), matrix);
    // The engine is warm before anything is timed, as it is after a model is loaded.
    search.guided(engines, Budget.of(3_000_000_000L));
    PlanSearch.Found guided = search.guided(engines, Budget.of(GUIDED_NANOS));
    PlanSearch.Found patient = search.guided(engines, Budget.of(PATIENT_NANOS));
    PlanSearch.Found exhaustive = search.exhaustive(engines, Budget.of(EXHAUSTIVE_NANOS));
    List<PlanSearch.Found> found = List.of(exhaustive, patient, guided);
    double[] medians =
        medians(CPU, matrix, unblocked, exhaustive.scorer(), patient.scorer(), guided.scorer());
    List<String> searches = List.of("exhaustive", "guided", "guided in 200 ms");
    for (int i = 0; i < searches.size(); i++) {
      System.out.printf(
          Locale.ROOT,
          "%s %s: [%s] of %d, %.0f us, %+.1f %% of exhaustive, %.2f times as fast as DS%n",
          name,
          searches.get(i),
          found.get(i).plan(),
          found.get(i).tried(),
          medians[i + 1],
          100 * (medians[i + 1] / medians[1] - 1),
          medians[0] / medians[i + 1]);
    }
  }

  private static void threads(TreeEnsemble ensemble, FeatureMatrix matrix) {
    BlockScorer one =
        VectorQuickScorer.compile(ensemble, VectorSupport.widths().getLast(), CompileProgress.NONE);
    try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
      EnsembleScorer two = new DocumentParallelScorer(one, executor, 2);
      double[] medians = medians(System::nanoTime, matrix, one, two);
      System.out.printf(
          Locale.ROOT,
          "%s, 2 threads: %.0f us, 1 thread %.0f us: %.2f times%n",
          one.algorithm(),
          medians[1],
          medians[0],
          medians[0] / medians[1]);
    }
  }

  /** 100 queries of 10 documents: one call each, or joined. */
  private static void joined(TreeEnsemble ensemble, Algorithm algorithm) {
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, algorithm);
    // Different documents: repeated ones would let the branches of QS be predicted.
    List<FeatureMatrix> queries = new ArrayList<>();
    float[] rows = TrainedModel.rows(1000);
    for (int q = 0; q < 100; q++) {
      int from = q * 10 * TrainedModel.FEATURES;
      float[] query = Arrays.copyOfRange(rows, from, from + 10 * TrainedModel.FEATURES);
      queries.add(FeatureMatrix.ofRows(query, TrainedModel.FEATURES));
    }
    Scratch scratch = scorer.newScratch();
    BatchJoiner joiner = new BatchJoiner(scorer, BatchJoiner.MAX_DOCUMENTS);
    double[][] scores = new double[100][10];
    double[] medians =
        medians(
            CPU,
            () -> joiner.score(queries, scores),
            () -> {
              for (int q = 0; q < 100; q++) {
                scorer.score(queries.get(q), scratch, scores[q]);
              }
            });
    System.out.printf(
        Locale.ROOT,
        "%s, 100 queries of 10 documents joined: %.0f us, one by one %.0f us: %.2f times%n",
        algorithm,
        medians[0],
        medians[1],
        medians[1] / medians[0]);
  }

  private static double[] medians(
      LongSupplier clock, FeatureMatrix matrix, EnsembleScorer... scorers) {
    double[] scores = new double[matrix.documents()];
    return medians(
        clock,
        Arrays.stream(scorers)
            .map(
                scorer -> {
                  Scratch scratch = scorer.newScratch();
                  return (Runnable) () -> scorer.score(matrix, scratch, scores);
                })
            .toArray(Runnable[]::new));
  }

  /** Medians in microseconds of turns taken in rotation, after as many unmeasured ones. */
  private static double[] medians(LongSupplier clock, Runnable... tasks) {
    double[][] times = new double[tasks.length][TURNS];
    for (int turn = -TURNS; turn < TURNS; turn++) {
      for (int i = 0; i < tasks.length; i++) {
        long start = clock.getAsLong();
        tasks[i].run();
        if (turn >= 0) {
          times[i][turn] = (clock.getAsLong() - start) / 1000.0;
        }
      }
    }
    return Arrays.stream(times)
        .mapToDouble(
            turns -> {
              Arrays.sort(turns);
              return turns[TURNS / 2];
            })
        .toArray();
  }
}
