// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.engine.bitsliced.BitSlicedScorers;
import io.quickscorer.engine.heavypath.HeavyPathScorer;
import io.quickscorer.engine.heavypath.HeavyPathScorers;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.papers.plan.BatchPlanner;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.papers.plan.BatchPlans;
import io.quickscorer.scorer.Budget;
import io.quickscorer.papers.plan.CacheSizes;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.papers.plan.ScoringPlan;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Scores each batch by the engine and under the plan that {@link BatchPlans} name for its size.
 *
 * <p>There are few engines, and each is compiled once: one for small batches, or one for single
 * documents and one with documents in lanes, and the bit-sliced one, which by itself takes the
 * width that suits a batch. An ensemble that an engine refuses, or for which it would be slow, is
 * left to the others. At first the plans are those that {@link AlgorithmSelector} guesses from the
 * model's shape; {@link #plan} replaces them, at once for all threads, by what is found to be
 * faster.
 */
final class AutoScorer implements EnsembleScorer {
  /** With more tables of ranks than this, following heavy paths is slow ... */
  private static final int MAX_TABLES = 16;

  /** ... and on narrower vectors, which look ranks up in several steps, with more than this. */
  private static final int MAX_TABLES_IF_NARROW = 3;

  /** What the bit-sliced engine is of the work that is left, and what any other is: about. */
  private static final double SHARE_OF_BITS = 0.9;

  private static final double SHARE_OF_OTHERS = 0.2;

  private final TreeEnsemble ensemble;
  private final Algorithm name;
  private final List<EnsembleScorer> engines;

  /** Whether the plans were prescribed. */
  private final boolean fixed;

  private volatile Routes routes;

  private AutoScorer(
      TreeEnsemble ensemble,
      Algorithm name,
      List<EnsembleScorer> engines,
      boolean fixed,
      BatchPlans plans) {
    this.ensemble = ensemble;
    this.name = name;
    this.engines = List.copyOf(engines);
    this.fixed = fixed;
    this.routes = Routes.of(this.engines, plans);
  }

  /**
   * Compiles what the selector names, under its engines' own plans.
   *
   * @param name what {@link #algorithm()} returns: AUTO or CPU
   * @param excluded engines that must not be among them
   */
  static AutoScorer compile(
      TreeEnsemble ensemble, Algorithm name, Set<Algorithm> excluded, CompileProgress progress) {
    Map<Algorithm, EnsembleScorer> compiled = new HashMap<>();
    List<EnsembleScorer> engines = new ArrayList<>();
    List<BatchPlans.Range> ranges = new ArrayList<>();
    double done = 0;
    Set<Algorithm> out = new HashSet<>(excluded);
    for (Algorithm paths : HeavyPathScorers.WIDTHS) {
      if (!HeavyPathScorers.unavailable(paths.width()).isEmpty()) {
        out.add(paths);
      }
    }
    AlgorithmSelector.Candidates candidates =
        new AlgorithmSelector.Candidates(VectorSupport.widths(), out);
    for (int documents = 1; documents <= AlgorithmSelector.MANY_DOCUMENTS; ) {
      Algorithm algorithm = AlgorithmSelector.select(ensemble.shape(), candidates, documents);
      EnsembleScorer scorer = compiled.get(algorithm);
      if (scorer == null) {
        double share = algorithm == Algorithm.BIT_SLICED ? SHARE_OF_BITS : SHARE_OF_OTHERS;
        double end = done + share * (1 - done);
        scorer = candidate(ensemble, algorithm, progress.part(done, end));
        done = end;
        if (scorer == null) {
          out.add(algorithm);
          continue;
        }
        compiled.put(algorithm, scorer);
      }
      if (!engines.contains(scorer)) {
        engines.add(scorer);
      }
      ranges.add(new BatchPlans.Range(documents, scorer.ownPlan()));
      documents++;
    }
    return new AutoScorer(ensemble, name, engines, false, BatchPlans.joined(ranges));
  }

  /**
   * Compiles what plans name, and keeps to them.
   *
   * @param excluded engines that a device's scorer must not use beside it
   */
  static EnsembleScorer compile(
      TreeEnsemble ensemble, BatchPlans plans, Set<Algorithm> excluded, CompileProgress progress) {
    List<EnsembleScorer> engines = new ArrayList<>();
    boolean done = false;
    try {
      List<BatchPlans.Range> ranges = new ArrayList<>();
      int all = plans.ranges().size();
      for (BatchPlans.Range range : plans.ranges()) {
        EnsembleScorer engine = null;
        for (EnsembleScorer known : engines) {
          if (known.follows(fitted(range.plan(), known))) {
            engine = known;
          }
        }
        if (engine == null) {
          engine =
              ScorerCompiler.compile(
                  ensemble,
                  range.plan(),
                  excluded,
                  progress.part((double) ranges.size() / all, (ranges.size() + 1.0) / all));
          engines.add(engine);
        }
        ScoringPlan plan = fitted(range.plan(), engine);
        engine.under(plan);
        ranges.add(new BatchPlans.Range(range.fewest(), plan));
      }
      boolean one = engines.stream().map(EnsembleScorer::algorithm).distinct().count() == 1;
      Algorithm name = one ? engines.getFirst().algorithm() : Algorithm.CPU;
      EnsembleScorer scorer =
          new AutoScorer(ensemble, name, engines, true, BatchPlans.joined(ranges));
      done = true;
      return scorer;
    } finally {
      if (!done) {
        // Some may hold memory of a device.
        engines.forEach(EnsembleScorer::close);
      }
    }
  }

  /** The plan with the engine's tau where its own exceeds the trees there are. */
  private static ScoringPlan fitted(ScoringPlan plan, EnsembleScorer engine) {
    int trees = engine.ensemble().trees().size();
    return plan.treesPerUnit() >= trees
        ? plan.withTreesPerUnit(engine.ownPlan().treesPerUnit())
        : plan;
  }

  /** One engine, which keeps its name and finds its own plans. */
  static EnsembleScorer of(EnsembleScorer engine) {
    return new AutoScorer(
        engine.ensemble(),
        engine.algorithm(),
        List.of(engine),
        false,
        BatchPlans.of(engine.ownPlan()));
  }

  /** Null if it is one of those that may refuse an ensemble, and does, or would be slow. */
  private static @Nullable EnsembleScorer candidate(
      TreeEnsemble ensemble, Algorithm algorithm, CompileProgress progress) {
    try {
      if (algorithm == Algorithm.BIT_SLICED) {
        return BitSlicedScorers.compileAllWidths(ensemble, progress);
      }
      if (HeavyPathScorers.WIDTHS.contains(algorithm)) {
        HeavyPathScorer scorer = HeavyPathScorers.compile(ensemble, algorithm.width(), progress);
        int most = algorithm == Algorithm.HEAVY_PATH_512 ? MAX_TABLES : MAX_TABLES_IF_NARROW;
        return scorer.tables() <= most ? scorer : null;
      }
    } catch (UnsupportedEnsembleException e) {
      return null;
    }
    return ScorerCompiler.compile(ensemble, algorithm, progress);
  }

  @Override
  public TreeEnsemble ensemble() {
    return ensemble;
  }

  @Override
  public Algorithm algorithm() {
    return name;
  }

  @Override
  public String engine() {
    return routes.engines();
  }

  @Override
  public boolean uses(Algorithm engine) {
    return engines.stream().anyMatch(each -> each.uses(engine));
  }

  @Override
  public BatchPlans plans() {
    return routes.plans;
  }

  @Override
  public void plan(Budget budget) {
    if (fixed) {
      return;
    }
    BatchPlanner planner = new BatchPlanner(CacheSizes.ofThisMachine(), engines);
    routes = Routes.of(engines, planner.search(routes.plans, budget));
  }

  /** The algorithm that batches of a size are scored with. */
  Algorithm algorithm(int documents) {
    return routes.plans.of(documents).algorithm();
  }

  @Override
  public long bytes() {
    return engines.stream().mapToLong(EnsembleScorer::bytes).sum();
  }

  @Override
  public Scratch newScratch() {
    return new Scratches(engines.size());
  }

  /** Of the engine that takes such batches; those that take others add theirs, if any come. */
  @Override
  public long scratchBytes(int documents) {
    Routes now = routes;
    return now.scorers[now.of(documents)].scratchBytes(documents);
  }

  @Override
  public void close() {
    engines.forEach(EnsembleScorer::close);
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    Routes now = routes;
    int route = now.of(matrix.documents());
    int engine = now.engines[route];
    Scratches all = (Scratches) scratch;
    all.lastPlan = now.plans.ranges().get(route).plan();
    now.scorers[route].score(matrix, all.of(engine, engines.get(engine)), scores, checkpoint);
  }

  /**
   * Plans with what follows them: route i takes batches of {@code fewest[i]} documents and more.
   */
  private static final class Routes {
    final BatchPlans plans;
    private final int[] fewest;

    /** Numbers of the engines, whose scratch a route uses. */
    final int[] engines;

    /** The engines under their plans. */
    final EnsembleScorer[] scorers;

    private Routes(BatchPlans plans) {
      int routes = plans.ranges().size();
      this.plans = plans;
      this.fewest = new int[routes];
      this.engines = new int[routes];
      this.scorers = new EnsembleScorer[routes];
    }

    static Routes of(List<EnsembleScorer> engines, BatchPlans plans) {
      Routes routes = new Routes(plans);
      for (int i = 0; i < routes.fewest.length; i++) {
        BatchPlans.Range range = plans.ranges().get(i);
        int engine = engineOf(range.plan(), engines);
        routes.fewest[i] = range.fewest();
        routes.engines[i] = engine;
        routes.scorers[i] = engines.get(engine).under(range.plan());
      }
      return routes;
    }

    private static int engineOf(ScoringPlan plan, List<EnsembleScorer> engines) {
      for (int i = 0; i < engines.size(); i++) {
        if (engines.get(i).follows(plan)) {
          return i;
        }
      }
      throw new IllegalArgumentException("plan " + plan + " for none of " + engines);
    }

    int of(int documents) {
      int route = fewest.length - 1;
      while (route > 0 && documents < fewest[route]) {
        route--;
      }
      return route;
    }

    /** Names of the engines and the sizes they start from. */
    String engines() {
      StringBuilder text = new StringBuilder(scorers[0].engine());
      for (int i = 1; i < scorers.length; i++) {
        if (!scorers[i].engine().equals(scorers[i - 1].engine())) {
          text.append(", from ").append(fewest[i]).append(" documents ");
          text.append(scorers[i].engine());
        }
      }
      return text.toString();
    }
  }

  /** Each engine's buffers, made when it is first used. */
  private static final class Scratches implements Scratch {
    private final @Nullable Scratch[] scratches;
    private @Nullable ScoringPlan lastPlan;

    Scratches(int engines) {
      scratches = new Scratch[engines];
    }

    Scratch of(int index, EnsembleScorer engine) {
      Scratch scratch = scratches[index];
      if (scratch == null) {
        scratch = engine.newScratch();
        scratches[index] = scratch;
      }
      return scratch;
    }

    @Override
    public @Nullable ScoringPlan lastPlan() {
      return lastPlan;
    }

    @Override
    public long bytes() {
      long bytes = 0;
      for (Scratch scratch : scratches) {
        bytes += scratch == null ? 0 : scratch.bytes();
      }
      return bytes;
    }
  }
}
