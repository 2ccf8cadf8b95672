// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.bitsliced.BitSlicedScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.papers.parallel.DocumentParallelScorer;
import io.quickscorer.papers.plan.LoopOrder;
import io.quickscorer.papers.plan.Plans;
import io.quickscorer.papers.plan.ScoringPlan;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A scorer under torture, and what happens to it meanwhile. All that it is at any time takes
 * scratch of the same kind. Several threads may score with it while one changes it.
 */
final class Subject {
  /** What happens to the scorer. */
  enum Treatment {
    /** Nothing. */
    NONE,
    /** Other plans are put in force, drawn at random. */
    RANDOM_PLANS,
    /** It is called through classes that are made meanwhile, which voids what the JIT assumed. */
    NEW_CLASSES,
    /** Several threads share one batch. */
    PARALLEL
  }

  private final EnsembleScorer engine;
  private final Treatment treatment;
  private final PlantedDefect planted;
  private volatile EnsembleScorer current;

  private Subject(EnsembleScorer engine, Treatment treatment, PlantedDefect planted) {
    this.engine = engine;
    this.treatment = treatment;
    this.planted = planted;
    this.current = planted.in(engine, false);
  }

  /** Null if the algorithm does not take the ensemble or is not available in this JVM. */
  static @Nullable Subject of(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      Treatment wanted,
      PlantedDefect planted,
      Executor executor) {
    EnsembleScorer engine;
    try {
      engine = ScorerCompiler.compile(ensemble, algorithm);
    } catch (UnsupportedEnsembleException e) {
      return null;
    }
    boolean blocks = engine instanceof BlockScorer;
    boolean planned = blocks || engine instanceof BitSlicedScorer;
    boolean possible =
        switch (wanted) {
          case NONE, NEW_CLASSES -> true;
          case RANDOM_PLANS -> planned;
          case PARALLEL -> blocks;
        };
    if (possible && wanted == Treatment.PARALLEL) {
      engine = new DocumentParallelScorer((BlockScorer) engine, executor, 2);
    }
    return new Subject(engine, possible ? wanted : Treatment.NONE, planted);
  }

  TreeEnsemble ensemble() {
    return engine.ensemble();
  }

  Algorithm algorithm() {
    return engine.algorithm();
  }

  /** The scorer as it is now. */
  EnsembleScorer scorer() {
    return current;
  }

  Scratch newScratch() {
    return engine.newScratch();
  }

  /** What it is and what happens to it, for a report. */
  String description() {
    return treatment + " " + current.engine();
  }

  /** Changes the scorer. */
  void treat(SplittableRandom random) {
    switch (treatment) {
      case NONE, PARALLEL -> {}
      case RANDOM_PLANS -> {
        EnsembleScorer under = Plans.under(engine, randomPlan(random));
        current = planted.in(under, true);
      }
      case NEW_CLASSES -> current = planted.in(inNewClass(engine), false);
    }
  }

  private ScoringPlan randomPlan(SplittableRandom random) {
    ScoringPlan own = Plans.own(engine);
    if (engine instanceof BitSlicedScorer bits) {
      List<Integer> sizes = bits.blockSizes();
      int documents = sizes.get(random.nextInt(sizes.size()));
      return new ScoringPlan(own.algorithm(), own.treesPerUnit(), own.order(), documents, 1);
    }
    LoopOrder[] orders = LoopOrder.values();
    return new ScoringPlan(
        own.algorithm(),
        own.treesPerUnit(),
        orders[random.nextInt(orders.length)],
        random.nextInt(4) == 0 ? ScoringPlan.ALL : Ensembles.logarithmic(random, 1, 700),
        Ensembles.logarithmic(random, 1, 300));
  }

  /** A proxy in a class loader of its own, hence in a class of its own. */
  private static EnsembleScorer inNewClass(EnsembleScorer scorer) {
    ClassLoader parent = Subject.class.getClassLoader();
    return (EnsembleScorer)
        Proxy.newProxyInstance(
            new ClassLoader(parent) {},
            new Class<?>[] {EnsembleScorer.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(scorer, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
