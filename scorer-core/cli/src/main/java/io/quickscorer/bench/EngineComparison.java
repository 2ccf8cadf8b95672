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
 * Gathers the contenders for one model and checks each against the reference before it is timed.
 * Compiled engines are kept for the next batch size.
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
   * @param model the bytes of the model's file, for peers
   * @param helpers runs threads in addition to the calling one
   * @param leftOut receives each contender that cannot take part, with the reason
   */
  public EngineComparison(
      TreeEnsemble ensemble, byte[] model, Executor helpers, Consumer<String> leftOut) {
    this.ensemble = ensemble;
    this.model = model;
    this.helpers = helpers;
    this.leftOut = leftOut;
  }

  /**
   * Returns an engine on one thread, from matrices and from rows.
   *
   * @return empty if it does not take the model
   * @throws IllegalStateException if it does not return the reference's bits
   */
  public List<Contender> engine(Algorithm algorithm, Batches batches) {
    EnsembleScorer scorer = compile(algorithm);
    return scorer == null
        ? List.of()
        : checked(
            batches,
            QuickScorerContender.fromMatrices(scorer, 1, null, batches),
            QuickScorerContender.fromRows(scorer, 1, null, batches));
  }

  /**
   * Returns an engine on one thread under the plan that the guided search finds for these batches,
   * after a warm-up.
   *
   * @return empty if it does not take the model, or has only one plan
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
    Contender asItIs = QuickScorerContender.fromMatrices(scorer, 1, null, batches);
    long end = System.nanoTime() + WARM_UP_NANOS;
    int batch = 0;
    while (System.nanoTime() < end) {
      asItIs.score(batch);
      batch = (batch + 1) % batches.count();
    }
  }

  /**
   * Returns an engine on several threads, which share the documents.
   *
   * @return empty if it does not take the model, or scores whole batches only
   */
  public List<Contender> onThreads(Algorithm algorithm, int threads, Batches batches) {
    EnsembleScorer scorer = compile(algorithm);
    if (!(scorer instanceof BlockScorer engine)) {
      if (scorer != null) {
        leftOut.accept(algorithm + " on " + threads + " threads: it scores whole batches only");
      }
      return List.of();
    }
    EnsembleScorer parallel = new DocumentParallelScorer(engine, helpers, threads);
    return checked(batches, QuickScorerContender.fromMatrices(parallel, threads, null, batches));
  }

  /**
   * Returns a scorer of another library.
   *
   * @return empty if it does not take the model, fails, or has other scores than the reference
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

  /** Measures the contenders and returns the named results, in their order. */
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
