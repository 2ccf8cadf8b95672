// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class WarmUpTest {
  private static final long MINUTES = 300_000_000_000L;

  private final WarmUp warmUp = new WarmUp();

  private static EnsembleScorer scorer(int trees, Algorithm algorithm, Accumulator accumulator) {
    return ScorerCompiler.compile(
        RandomEnsembles.of(Seeds.random("warm"))
            .trees(trees)
            .leaves(2, 30)
            .accumulator(accumulator)
            .build(),
        algorithm);
  }

  private static EnsembleScorer scorer(int trees) {
    return scorer(trees, Algorithm.CPU, Accumulator.DOUBLE);
  }

  /** Counts, as a time may be over before the first batch on a busy machine. */
  private static Budget ofFewBatches(AtomicInteger asked) {
    return Budget.of(MINUTES, () -> asked.incrementAndGet() > 3);
  }

  @Test
  void oneModelOfAShapeIsEnough() {
    assertTrue(warmUp.run(scorer(200), Budget.of(MINUTES)) > 0);
    assertEquals(0, warmUp.run(scorer(20), Budget.of(MINUTES)));
    EnsembleScorer floats = scorer(20, Algorithm.CPU, Accumulator.FLOAT);
    assertTrue(
        warmUp.run(floats, ofFewBatches(new AtomicInteger())) > 0,
        "other sums run through other code");
    EnsembleScorer walk = scorer(20, Algorithm.QS, Accumulator.DOUBLE);
    assertTrue(warmUp.run(walk, ofFewBatches(new AtomicInteger())) > 0, "so do other engines");
  }

  /** Its batches would take too much memory; others of its shape are none the warmer. */
  @Test
  void aModelOfManyFeaturesWarmsNothing() {
    EnsembleScorer wide =
        ScorerCompiler.compile(
            RandomEnsembles.of(Seeds.random("wide"))
                .trees(20)
                .leaves(2, 30)
                .features(20_000)
                .build(),
            Algorithm.QS);
    warmUp.run(wide, Budget.of(MINUTES));
    EnsembleScorer usual = scorer(20, Algorithm.QS, Accumulator.DOUBLE);
    assertTrue(warmUp.run(usual, ofFewBatches(new AtomicInteger())) > 0);
  }

  @Test
  void whatWasStoppedIsNotWarm() {
    AtomicInteger asked = new AtomicInteger();
    assertTrue(warmUp.run(scorer(20), ofFewBatches(asked)) > 0);
    assertTrue(asked.get() < 10, () -> "asked " + asked + " times, and went on");
    assertTrue(warmUp.run(scorer(20), ofFewBatches(new AtomicInteger())) > 0);
    assertEquals(0, warmUp.run(scorer(20), Budget.of(0)));
    assertEquals(0, warmUp.run(scorer(20), Budget.of(MINUTES, () -> true)));
  }
}
