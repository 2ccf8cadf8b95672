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
 * Runs engines until the JIT has compiled their code, before the first real batch. Interpreted code
 * can take 1,000 times as long as compiled code.
 *
 * <p>From the first batch on, the documents contain missing values, zeros and infinities.
 * Otherwise, the first such value in a real search would deoptimise the code.
 *
 * <p>Ensembles share the code of an engine. So an engine runs only once for each {@link Shape} of
 * model, and only with some of the trees. A {@code WarmUp} remembers these shapes; use one object
 * per JVM or node. Safe for use by several threads.
 */
public final class WarmUp {
  /**
   * Batch sizes of the warm-up. Together they use each engine of {@link Algorithm#AUTO} at each
   * vector width. The largest is first: it contains all special values, such as infinity.
   */
  private static final int[] DOCUMENTS = {400, 200, 100, 65, 40, 10, 1};

  /** Maximum number of trees in the warm-up: enough for two blocks of the heavy-path engine. */
  private static final int MAX_TREES = 65;

  /** Minimum of {@link Shape#leafBits}. Engines run the same code for trees of up to 32 leaves. */
  private static final int MIN_LEAF_BITS = 5;

  /** A batch counts as faster if its time is below this fraction of the shortest time so far. */
  private static final double GAIN = 0.95;

  /** Time in ns after which the warm-up ends if no batch became faster. */
  private static final long STEADY_NANOS = 300_000_000;

  private final Set<Shape> warm = ConcurrentHashMap.newKeySet();

  /** The properties of a model that determine which parts of an engine's code run for the model. */
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
   * Runs the engines of a scorer until they stop becoming faster, or until the budget is used up.
   *
   * @return the time spent in ns; 0 if there was nothing to run
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

  /** Returns whether an engine runs the same code for all models, as this module's engines do. */
  private static boolean isShared(Algorithm algorithm) {
    return algorithm == Algorithm.AUTO
        || algorithm == Algorithm.CPU
        || Engines.of(algorithm) != null;
  }

  /**
   * Returns a scorer with some of the trees, for a shorter warm-up. Returns {@code scorer} itself
   * if it has few trees, or if {@link #isShared} is false for its engine.
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

  /**
   * Runs a scorer on batches of all sizes. Returns whether it stopped becoming faster within the
   * budget; false if a batch was too large to generate.
   */
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
    long[] minNanos = new long[batches.size()];
    Arrays.fill(minNanos, Long.MAX_VALUE);
    long lastGain = System.nanoTime();
    while (System.nanoTime() - lastGain < STEADY_NANOS) {
      for (int i = 0; i < minNanos.length; i++) {
        if (budget.isOver()) {
          return false;
        }
        long start = System.nanoTime();
        scorer.score(batches.get(i), scratch, scores);
        long end = System.nanoTime();
        if (end - start < GAIN * minNanos[i]) {
          minNanos[i] = end - start;
          lastGain = end;
        }
      }
    }
    return batches.size() == DOCUMENTS.length;
  }
}
