// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.RoutedScorer;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.quickscorer.QuickScorer;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.ScorerContractTest;
import io.quickscorer.testing.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Plans that a user prescribes. */
final class PlannedBatchesTest extends ScorerContractTest {
  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return PlannedBatches.compile(
        ensemble,
        BatchPlans.parse(
            "qs tau=9999 DS; from 3: bwqs tau=9999 DSD d=50; from 9: struct+ tau=1 SDSD d=7 s=9;"
                + " from 65: bitsliced tau=16 DSD d=64",
            Engines::named));
  }

  @Override
  protected int maxLeaves() {
    return QuickScorer.MAX_LEAVES;
  }

  private static TreeEnsemble ensemble() {
    return RandomEnsembles.of(Seeds.random("planned")).trees(100).leaves(2, 64).build();
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
  void neighboursOfOnePlanAreJoined() {
    BatchPlans plans =
        BatchPlans.parse(
            "qs tau=9999 DS; from 2: qs tau=100 DS; from 3: bwqs tau=8 DS; from 4: bwqs tau=8 DS;"
                + " from 5: qs tau=100 DS",
            Engines::named);
    RoutedScorer scorer =
        assertInstanceOf(RoutedScorer.class, PlannedBatches.compile(ensemble(), plans));
    assertEquals("qs tau=100 DS; from 3: bwqs tau=8 DS; from 5: qs tau=100 DS", scorer.engine());
    assertEquals(
        List.of(1, 3, 5), scorer.routes().stream().map(RoutedScorer.Route::fewest).toList());
    assertEquals(
        List.of(0, 1, 0), scorer.routes().stream().map(RoutedScorer.Route::engine).toList());
  }

  @Test
  void aPlanThatFitsNoEngineIsRefused() {
    refused("not for engine [qs] with tau=100", "qs tau=50 DSD d=all");
    refused("[auto] selects an engine", "auto tau=1 DS");
    refused("expected a plan such as [object tau=100 DS]", "object tau=100 SDS s=1");
    refused("bitsliced: blocks of 65 documents are not supported", "bitsliced tau=16 DSD d=65");
    refused("expected a plan such as [bitsliced tau=16 DSD", "bitsliced tau=16 SDS s=1");
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
    FeatureMatrix many =
        FeatureMatrix.ofRows(new float[12_288 * cases.features()], cases.features());
    AtomicInteger passes = new AtomicInteger();
    scorer.score(many, scorer.newScratch(), new double[12_288], passes::incrementAndGet);
    int groups = ensemble.derived().groups().size();
    assertTrue(passes.get() >= 3 * groups, groups + " groups of columns: " + passes + " passes");
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
}
