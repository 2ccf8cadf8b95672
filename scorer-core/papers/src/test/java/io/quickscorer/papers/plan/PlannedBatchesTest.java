// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.compile.SampleDocuments;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.ScorerContractTest;
import io.quickscorer.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** AUTO after a search for better plans, and plans that a user prescribes. */
final class PlannedBatchesTest extends ScorerContractTest {
  private static final long MILLISECOND = 1_000_000;

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.CPU);
    scorer.plan(Budget.of(2 * MILLISECOND));
    return scorer;
  }

  private static TreeEnsemble ensemble() {
    return RandomEnsembles.of(Seeds.random("planned")).trees(100).leaves(2, 64).build();
  }

  @Test
  void plansFoundCanBePrescribed() {
    EnsembleScorer planned = ScorerCompiler.compile(ensemble(), Algorithm.CPU);
    planned.plan(Budget.of(100 * MILLISECOND));
    BatchPlans plans = planned.plans();
    EnsembleScorer prescribed =
        ScorerCompiler.compile(
            planned.ensemble(), BatchPlans.parse(plans.toString(), Engines::named));
    assertEquals(plans, prescribed.plans());
    prescribed.plan(Budget.of(MILLISECOND));
    assertEquals(plans, prescribed.plans(), "prescribed plans stay");
    for (int documents : new int[] {0, 1, 3, 10, 20, 64, 65, 300, 700}) {
      assertSameBits(planned, prescribed, documents);
    }
  }

  @Test
  void aNamedEngineFindsPlansOfItsOwn() {
    TreeEnsemble ensemble = ensemble();
    List<Algorithm> algorithms =
        new ArrayList<>(List.of(Algorithm.STRUCT_PLUS, Algorithm.BWQS, Algorithm.BIT_SLICED));
    VectorSupport.widths().forEach(width -> algorithms.add(Engines.named("bitsliced-" + width)));
    for (Algorithm algorithm : algorithms) {
      EnsembleScorer engine = ScorerCompiler.compile(ensemble, algorithm);
      EnsembleScorer planning = ScorerCompiler.planning(engine);
      assertEquals(engine.plans(), planning.plans());
      planning.plan(Budget.of(100 * MILLISECOND));
      assertEquals(algorithm, planning.algorithm());
      for (BatchPlans.Range range : planning.plans().ranges()) {
        assertEquals(algorithm, range.plan().algorithm());
      }
      for (int documents : new int[] {1, 20, 64, 65, 700}) {
        assertSameBits(engine, planning, documents);
      }
    }
    EnsembleScorer auto = ScorerCompiler.compile(ensemble, Algorithm.CPU);
    assertSame(auto, ScorerCompiler.planning(auto));
  }

  @Test
  void everyKindOfPlanGivesTheBitsOfAuto() {
    EnsembleScorer auto = ScorerCompiler.compile(ensemble(), Algorithm.CPU);
    for (String plan :
        new String[] {
          "object tau=100 DS",
          "struct+ tau=1 SDSD d=7 s=9",
          "vpred tau=1 DSDS d=all s=11",
          "codegen tau=1 SDS s=50",
          "bwqs tau=17 SDSD d=30 s=2",
          "bwqs tau=9999 DSD d=50",
          "qs tau=9999 DS",
          "bitsliced tau=16 DSD d=64",
          "qs tau=100 DSD d=all; from 3: bwqs tau=17 DS; from 9: bitsliced tau=16 DSD d=64"
        }) {
      EnsembleScorer scorer =
          ScorerCompiler.compile(auto.ensemble(), BatchPlans.parse(plan, Engines::named));
      for (int documents : new int[] {1, 3, 20, 64, 65, 300}) {
        assertSameBits(auto, scorer, documents);
      }
    }
  }

  @Test
  void aPlanThatFitsNoEngineIsRefused() {
    refused("for qs tau=100", "qs tau=50 DSD d=all");
    refused("auto picks engines", "auto tau=1 DS");
    refused("object has object tau=100 DS", "object tau=100 SDS s=1");
    refused("bitsliced in blocks of 65 documents", "bitsliced tau=16 DSD d=65");
    refused("bitsliced has bitsliced tau=16 DSD", "bitsliced tau=16 SDS s=1");
  }

  @Test
  void excludedEnginesFollowNoPlan() {
    BatchPlans plans = BatchPlans.parse("qs tau=100 DS; from 5: pred tau=1 DS", Engines::named);
    assertThrows(
        UnsupportedEnsembleException.class,
        () ->
            ScorerCompiler.compile(
                ensemble(), plans, Set.of(Algorithm.PRED), CompileProgress.NONE));
    EnsembleScorer allowed =
        ScorerCompiler.compile(ensemble(), plans, Set.of(Algorithm.STRUCT), CompileProgress.NONE);
    assertEquals(plans, allowed.plans());
  }

  private static void refused(String why, String plan) {
    BatchPlans plans = BatchPlans.parse(plan, Engines::named);
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> ScorerCompiler.compile(ensemble(), plans))
            .getMessage();
    assertTrue(message.contains(why), message);
  }

  @Test
  void aCancelledSearchChangesNothing() {
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble(), Algorithm.CPU);
    BatchPlans guessed = scorer.plans();
    scorer.plan(Budget.of(60_000 * MILLISECOND, () -> true));
    assertEquals(guessed, scorer.plans());
    AtomicInteger asked = new AtomicInteger();
    scorer.plan(Budget.of(60_000 * MILLISECOND, () -> asked.incrementAndGet() > 200));
    assertEquals(guessed, scorer.plans());
    assertTrue(asked.get() < 2_000, () -> "asked " + asked + " times, and went on");
  }

  /** Scores while the plans change under way. */
  @Test
  void searchesAndScoresAtOnce() throws InterruptedException {
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble(), Algorithm.CPU);
    EnsembleScorer reference = ScorerCompiler.compile(scorer.ensemble(), Algorithm.OBJECT);
    AtomicBoolean done = new AtomicBoolean();
    Thread planning =
        new Thread(
            () -> {
              for (int i = 0; i < 20; i++) {
                scorer.plan(Budget.of(10 * MILLISECOND));
              }
              done.set(true);
            });
    planning.start();
    Scratch scratch = scorer.newScratch();
    double[] scores = new double[100];
    int[] sizes = {1, 10, 30, 100};
    FeatureMatrix[] batches = new FeatureMatrix[sizes.length];
    double[][] expected = new double[sizes.length][100];
    for (int i = 0; i < sizes.length; i++) {
      batches[i] = SampleDocuments.of(scorer.ensemble(), sizes[i]);
      reference.score(batches[i], reference.newScratch(), expected[i]);
    }
    boolean last;
    do {
      last = done.get();
      for (int i = 0; i < sizes.length; i++) {
        scorer.score(batches[i], scratch, scores);
        for (int d = 0; d < sizes[i]; d++) {
          assertEquals(
              Double.doubleToRawLongBits(expected[i][d]), Double.doubleToRawLongBits(scores[d]));
        }
      }
    } while (!last);
    planning.join();
    assertFalse(planning.isAlive());
  }
}
