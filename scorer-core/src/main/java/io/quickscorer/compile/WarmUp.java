// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs engines before their first real batch, so that it runs compiled code. A batch of a hundred
 * documents can take 0.1 s interpreted and 0.1 ms compiled.
 *
 * <p>Missing values, zeros, and infinities are among the documents from the first batch on: code
 * compiled for plain values alone would be deoptimised by the first of them in a real search.
 *
 * <p>Engines share their code between ensembles, so an engine is run once for each shape that takes
 * another path through it, and on some of the ensemble's trees: the JIT counts calls, not work. An
 * object remembers the shapes it has run; use one per JVM or node. Safe for use by several threads.
 */
public final class WarmUp {
  /**
   * Batch sizes such that each engine of {@link Algorithm#AUTO}, and each of its widths, scores
   * one, some with a block that is not full. The largest comes first: it has all special values, so
   * that nothing is compiled, or counted for the JIT, without them.
   */
  private static final int[] DOCUMENTS = {400, 200, 100, 65, 40, 10, 1};

  /** One tree more than fills blocks. */
  private static final int MAX_TREES = 65;

  /** Trees of fewer leaves are scored by the same code. */
  private static final int MIN_LEAF_BITS = 5;

  /** Rounds continue until none was this much faster than those before ... */
  private static final double GAIN = 0.95;

  /** ... for this long. */
  private static final long STEADY_NANOS = 300_000_000;

  private final Set<Shape> warm = ConcurrentHashMap.newKeySet();

  /** The properties of a model that decide the path through the code. */
  private record Shape(
      Algorithm algorithm,
      int leafBits,
      Accumulator accumulator,
      boolean categorical,
      boolean zeroMissing) {
    static Shape of(EnsembleScorer scorer) {
      EnsembleShape shape = scorer.ensemble().shape();
      return new Shape(
          scorer.algorithm(),
          Math.max(
              MIN_LEAF_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(shape.maxLeaves() - 1)),
          scorer.ensemble().accumulator(),
          shape.categoricalSplits() > 0,
          shape.zeroMissingSplits() > 0);
    }
  }

  /**
   * Runs the engines of a scorer until they get no faster or the budget is used up.
   *
   * @return nanoseconds spent; 0 if there was nothing to run
   */
  public long run(EnsembleScorer compiled, Budget budget) {
    EnsembleScorer scorer = compiled.ofColumns();
    boolean onDevice =
        scorer.algorithm() == Algorithm.GPU || scorer.algorithm() == Algorithm.GPU_QS;
    Shape shape = Shape.of(scorer);
    boolean shared = isShared(scorer.algorithm());
    if (onDevice || budget.isOver() || (shared && warm.contains(shape))) {
      return 0;
    }
    long start = System.nanoTime();
    if (runUntilSteady(some(scorer), budget) && shared) {
      warm.add(shape);
    }
    return System.nanoTime() - start;
  }

  /** Returns whether models share an engine's code; false for other modules' engines. */
  private static boolean isShared(Algorithm algorithm) {
    return algorithm == Algorithm.AUTO
        || algorithm == Algorithm.CPU
        || Engines.of(algorithm) != null;
  }

  /**
   * Returns a scorer of some of the ensemble's trees, or the scorer itself if its code is not
   * shared between ensembles.
   */
  private static EnsembleScorer some(EnsembleScorer scorer) {
    TreeEnsemble ensemble = scorer.ensemble();
    List<Tree> trees = ensemble.trees();
    if (!isShared(scorer.algorithm()) || trees.size() <= MAX_TREES) {
      return scorer;
    }
    List<Tree> some = new ArrayList<>();
    for (int i = 0; i < MAX_TREES; i++) {
      some.add(trees.get((int) ((long) i * trees.size() / MAX_TREES)));
    }
    Algorithm algorithm = scorer.algorithm();
    return ScorerCompiler.compile(
        TreeEnsemble.builder(ensemble.featureNames(), ensemble.source())
            .trees(some)
            .accumulator(ensemble.accumulator())
            .build(),
        algorithm == Algorithm.AUTO ? Algorithm.CPU : algorithm);
  }

  /** Runs a scorer on batches of all sizes; returns whether it became steady within the budget. */
  private static boolean runUntilSteady(EnsembleScorer scorer, Budget budget) {
    Scratch scratch = scorer.newScratch();
    List<FeatureMatrix> batches = new ArrayList<>();
    for (int documents : DOCUMENTS) {
      if (SampleDocuments.fit(scorer.ensemble(), documents)) {
        batches.add(SampleDocuments.of(scorer.ensemble(), documents));
      }
    }
    if (batches.isEmpty()) {
      return false;
    }
    double[] scores = new double[DOCUMENTS[0]];
    long[] least = new long[batches.size()];
    Arrays.fill(least, Long.MAX_VALUE);
    long lastGain = System.nanoTime();
    while (System.nanoTime() - lastGain < STEADY_NANOS) {
      for (int i = 0; i < least.length; i++) {
        if (budget.isOver()) {
          return false;
        }
        long start = System.nanoTime();
        scorer.score(batches.get(i), scratch, scores);
        long end = System.nanoTime();
        if (end - start < GAIN * least[i]) {
          least[i] = end - start;
          lastGain = end;
        }
      }
    }
    return batches.size() == DOCUMENTS.length;
  }
}
