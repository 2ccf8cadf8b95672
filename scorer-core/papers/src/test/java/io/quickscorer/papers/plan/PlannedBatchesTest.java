// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.SampleDocuments;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.quickscorer.QuickScorer;
import io.quickscorer.engine.quickscorer.VectorQuickScorer;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.papers.quickscorer.BlockwiseQuickScorer;
import io.quickscorer.papers.traversal.StructPlusScorer;
import io.quickscorer.reader.ModelReader;
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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Engines after a search for better plans, and plans that a user prescribes. */
final class PlannedBatchesTest extends ScorerContractTest {
  private static final long MILLISECOND = 1_000_000;

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    PlannedBatches scorer = planned(ensemble);
    scorer.plan(Budget.of(2 * MILLISECOND));
    return scorer;
  }

  @Override
  protected int maxLeaves() {
    return QuickScorer.MAX_LEAVES;
  }

  /** Engines that are each the fastest for some batches. */
  private static PlannedBatches planned(TreeEnsemble ensemble) {
    List<EnsembleScorer> engines = new ArrayList<>();
    for (String engine : List.of("qs", "bwqs", "struct+", "bitsliced")) {
      engines.add(ScorerCompiler.compile(ensemble, Engines.named(engine)));
    }
    VectorSupport.widths().forEach(bits -> engines.add(VectorQuickScorer.compile(ensemble, bits)));
    return PlannedBatches.among(engines);
  }

  private static TreeEnsemble ensemble() {
    return RandomEnsembles.of(Seeds.random("planned")).trees(100).leaves(2, 64).build();
  }

  @Test
  void plansFoundCanBePrescribed() {
    PlannedBatches planned = planned(ensemble());
    planned.plan(Budget.of(100 * MILLISECOND));
    BatchPlans plans = BatchPlans.parse(planned.plans().toString(), Engines::named);
    PlannedBatches prescribed = (PlannedBatches) PlannedBatches.compile(planned.ensemble(), plans);
    assertEquals(planned.plans(), prescribed.plans());
    assertEquals(plans.toString(), prescribed.engine());
    for (int documents : new int[] {0, 1, 3, 10, 20, 64, 65, 300, 700}) {
      assertSameBits(planned, prescribed, documents);
    }
  }

  @Test
  void anEngineAloneFindsPlansOfItsOwn() {
    TreeEnsemble ensemble = ensemble();
    List<Algorithm> algorithms =
        new ArrayList<>(
            List.of(
                StructPlusScorer.ALGORITHM, BlockwiseQuickScorer.ALGORITHM, Algorithm.BIT_SLICED));
    VectorSupport.widths().forEach(width -> algorithms.add(Engines.named("bitsliced-" + width)));
    for (Algorithm algorithm : algorithms) {
      EnsembleScorer engine = ScorerCompiler.compile(ensemble, algorithm);
      PlannedBatches planning = PlannedBatches.among(List.of(engine));
      assertEquals(BatchPlans.of(Plans.own(engine)), planning.plans());
      planning.plan(Budget.of(100 * MILLISECOND));
      assertEquals(algorithm, planning.algorithm());
      for (BatchPlans.Range range : planning.plans().ranges()) {
        assertEquals(algorithm, range.plan().algorithm());
      }
      for (int documents : new int[] {1, 20, 64, 65, 700}) {
        assertSameBits(engine, planning, documents);
      }
    }
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
          PlannedBatches.compile(auto.ensemble(), BatchPlans.parse(plan, Engines::named));
      for (int documents : new int[] {1, 3, 20, 64, 65, 300}) {
        assertSameBits(auto, scorer, documents);
      }
    }
  }

  @Test
  void aPlanThatFitsNoEngineIsRefused() {
    refused("not for engine [qs] with tau=100", "qs tau=50 DSD d=all");
    refused("[auto] selects an engine", "auto tau=1 DS");
    refused("expected a plan such as [object tau=100 DS]", "object tau=100 SDS s=1");
    refused("bitsliced: blocks of 65 documents are not supported", "bitsliced tau=16 DSD d=65");
    refused("expected a plan such as [bitsliced tau=16 DSD", "bitsliced tau=16 SDS s=1");
  }

  @Test
  void compilingForPlansTellsHowFarItIs() {
    List<Double> shares = new ArrayList<>();
    PlannedBatches.compile(
        ensemble(),
        BatchPlans.parse(
            "qs tau=1000 DS; from 5: bwqs tau=50 DSD d=16; from 9: pred tau=1 DS", Engines::named),
        CompileProgress.of(shares::add, () -> false));
    assertEquals(shares.stream().sorted().toList(), shares);
    assertEquals(1, shares.getLast());
    assertTrue(shares.size() > 300, () -> shares.size() + " reports");
  }

  /** Trees over columns that are derived first, with any number of documents and one scratch. */
  @Test
  void derivedColumns() {
    Fixture fixture =
        Fixture.all().stream().filter(each -> each.name().equals("ctrs")).findFirst().orElseThrow();
    TreeEnsemble ensemble =
        ModelReader.read(fixture.model("cbm"), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    Fixture.Cases cases = fixture.cases();
    FeatureMatrix all = FeatureMatrix.ofRows(cases.values(), cases.features());
    EnsembleScorer scorer =
        PlannedBatches.compile(
            ensemble,
            BatchPlans.parse("qs tau=9999 DS; from 9: bwqs tau=7 DSD d=50", Engines::named));
    assertEquals(ensemble, scorer.ensemble());
    Scratch scratch = scorer.newScratch();
    FeatureMatrix batch = new FeatureMatrix(cases.features(), all.documents());
    for (int documents : new int[] {1, 64, 0, 65, all.documents(), 7}) {
      batch.setFrom(all, all.documents() - documents, documents);
      double[] scores = new double[documents];
      scorer.score(batch, scratch, scores);
      double[] raw = cases.raw();
      assertArrayEquals(Arrays.copyOfRange(raw, raw.length - documents, raw.length), scores);
    }
  }

  @Test
  void linearModelsHaveOnePlan() {
    TreeEnsemble linear =
        TreeEnsemble.builder(List.of("a"), new ModelSource(new ModelFormat("test"), "", ""))
            .linear(LinearTerms.of(new int[] {0}, new double[] {3}))
            .build();
    BatchPlans foreign = BatchPlans.parse("vqs-256 tau=4 DS", Engines::named);
    assertThrows(UnsupportedEnsembleException.class, () -> PlannedBatches.compile(linear, foreign));
    BatchPlans own = BatchPlans.of(Plans.own(ScorerCompiler.compile(linear, Algorithm.LINEAR)));
    assertEquals(Algorithm.LINEAR, PlannedBatches.compile(linear, own).algorithm());
  }

  private static void refused(String why, String plan) {
    BatchPlans plans = BatchPlans.parse(plan, Engines::named);
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> PlannedBatches.compile(ensemble(), plans))
            .getMessage();
    assertTrue(message.contains(why), message);
  }

  @Test
  void aCancelledSearchChangesNothing() {
    PlannedBatches scorer = planned(ensemble());
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
    PlannedBatches scorer = planned(ensemble());
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
