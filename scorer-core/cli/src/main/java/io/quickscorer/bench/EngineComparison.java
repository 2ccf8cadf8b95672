// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.papers.parallel.DocumentParallelScorer;
import io.quickscorer.papers.plan.CacheSizes;
import io.quickscorer.papers.plan.PlanSearch;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates the contenders (scorers to be timed) for one model, compares their scores with those of
 * the reference engine, and times them. Each engine is compiled only once, for all batch sizes.
 */
public final class EngineComparison {
  private static final long WARM_UP_NANOS = 500_000_000;
  private static final long PLAN_NANOS = 200_000_000;

  private final TreeEnsemble ensemble;
  private final byte[] model;
  private final Executor helpers;
  private final Consumer<String> leftOut;
  private final Map<Algorithm, EnsembleScorer> compiled = new HashMap<>();

  /**
   * Creates a comparison for a model.
   *
   * @param model the bytes of the model's file, for other libraries
   * @param helpers runs the scoring threads other than the calling thread
   * @param leftOut receives a line of text, with name and reason, for each contender that cannot be
   *     timed
   */
  public EngineComparison(
      TreeEnsemble ensemble, byte[] model, Executor helpers, Consumer<String> leftOut) {
    this.ensemble = ensemble;
    this.model = model;
    this.helpers = helpers;
    this.leftOut = leftOut;
  }

  /**
   * Returns two contenders for an engine on one thread: one scores feature matrices, the other one
   * scores row-major arrays (document after document). Returns an empty list if the engine does not
   * support the model.
   *
   * @throws IllegalStateException if a score is not bit-identical to the reference engine's
   */
  public List<Contender> engine(Algorithm algorithm, Batches batches) {
    EnsembleScorer scorer = compile(algorithm);
    return scorer == null
        ? List.of()
        : checked(
            batches,
            QuickScorerContender.fromMatrices(scorer, 1, null, batches),
            QuickScorerContender.fromRows(scorer, batches));
  }

  /**
   * Returns one contender: an engine on one thread with its fastest plan (order of work). {@link
   * PlanSearch#guided} finds the plan for batches of this size, after a warm-up of the engine.
   *
   * @return an empty list if the engine does not support the model, or has only one plan
   */
  public List<Contender> planned(Algorithm algorithm, Batches batches) {
    if (!(compile(algorithm) instanceof BlockScorer engine)) {
      return List.of();
    }
    warmUp(engine, batches);
    PlanSearch search = new PlanSearch(CacheSizes.ofThisMachine(), batches.matrix(0));
    PlanSearch.Found found = search.guided(List.of(engine), Budget.of(PLAN_NANOS));
    return checked(
        batches,
        QuickScorerContender.fromMatrices(found.scorer(), 1, found.plan().toString(), batches));
  }

  private static void warmUp(EnsembleScorer scorer, Batches batches) {
    Contender contender = QuickScorerContender.fromMatrices(scorer, 1, null, batches);
    long end = System.nanoTime() + WARM_UP_NANOS;
    int batch = 0;
    while (System.nanoTime() < end) {
      contender.score(batch);
      batch = (batch + 1) % batches.count();
    }
  }

  /**
   * Returns one contender: an engine on several threads, each of which scores a part of a batch.
   * Returns an empty list if the engine does not support the model, or cannot divide a batch.
   */
  public List<Contender> onThreads(Algorithm algorithm, int threads, Batches batches) {
    EnsembleScorer scorer = compile(algorithm);
    if (!(scorer instanceof BlockScorer engine)) {
      if (scorer != null) {
        leftOut.accept(
            algorithm
                + " on "
                + threads
                + " threads: the engine cannot divide a batch among threads");
      }
      return List.of();
    }
    EnsembleScorer parallel = new DocumentParallelScorer(engine, helpers, threads);
    return checked(batches, QuickScorerContender.fromMatrices(parallel, threads, null, batches));
  }

  /**
   * Returns one contender: a scorer of another library. Returns an empty list if the library fails
   * or a score is wrong.
   */
  public List<Contender> peer(Peer peer, Batches batches) {
    try {
      return checked(batches, peer.load(model, batches));
    } catch (UnsupportedEnsembleException | IllegalStateException e) {
      leftOut.accept(String.valueOf(e.getMessage()).lines().findFirst().orElse(peer.name()));
      return List.of();
    }
  }

  private @Nullable EnsembleScorer compile(Algorithm algorithm) {
    EnsembleScorer scorer = compiled.get(algorithm);
    if (scorer == null) {
      try {
        scorer = ScorerCompiler.compile(ensemble, algorithm);
        compiled.put(algorithm, scorer);
      } catch (UnsupportedEnsembleException e) {
        String why = String.valueOf(e.getMessage());
        String name = algorithm + ": ";
        leftOut.accept(why.startsWith(name) ? why : name + why);
        return null;
      }
    }
    return scorer;
  }

  private static List<Contender> checked(Batches batches, Contender... contenders) {
    for (Contender contender : contenders) {
      String difference = batches.firstDifference(contender);
      if (!difference.isEmpty()) {
        throw new IllegalStateException(contender.label().engine() + ": " + difference);
      }
    }
    return List.of(contenders);
  }

  /** Times the contenders. Returns one {@link Row} per contender, in the same order. */
  public List<Row> time(
      List<Contender> contenders, Batches batches, Rounds rounds, Consumer<String> progress) {
    List<Timing> timings = rounds.time(contenders, batches.documents(), batches.count(), progress);
    List<Row> rows = new ArrayList<>();
    for (int c = 0; c < timings.size(); c++) {
      Contender.Label label = contenders.get(c).label();
      rows.add(new Row(label, batches.documents(), ensemble.shape(), timings.get(c)));
    }
    return rows;
  }
}
