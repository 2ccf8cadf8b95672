// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.quality;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.quality.Comparison.Baseline;
import io.quickscorer.train.quality.Comparison.Quality;
import io.quickscorer.train.report.TrainingReport;
import io.quickscorer.train.trainer.LearningCurve;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
  private static final JudgedQuery QUERY = JudgedQuery.of("q", "q", Map.of("b", 1, "x", 1));

  @Test
  void measuresFollowTheirDefinitions() {
    List<String> ranking = List.of("a", "b", "c");
    assertEquals(0.5, RankingQuality.reciprocalRank(QUERY, ranking));
    assertEquals(0, RankingQuality.reciprocalRank(QUERY, List.of("a")));
    // One of two good answers, at position 2: precision 1/2 there, nothing for the other.
    assertEquals(0.25, RankingQuality.averagePrecision(QUERY, ranking));
  }

  @Test
  void theModelOrdersAndTiesKeepTheirPlaces() {
    FeatureRows.Hits hits = new FeatureRows.Hits(QUERY, List.of("a", "b", "c", "d"), List.of());
    Comparison comparison =
        Comparison.of(List.of(hits), List.of(new double[] {-1, 3, -1, 0}), Map.of(), Ndcg.DEFAULT);
    Comparison.Query query = comparison.queries().getFirst();
    assertEquals(List.of("b", "d", "a", "c"), query.after());
    assertTrue(query.gain() > 0);
    assertEquals(1, comparison.meanModel(Quality::reciprocalRank));
    assertEquals(0.5, comparison.mean(Baseline.FIRST_PASS, Quality::reciprocalRank));
  }

  @Test
  void aModelMustBeBetterThanWhatIsFoundByHandToo() {
    List<FeatureRows.Hits> hits = new ArrayList<>();
    List<double[]> scores = new ArrayList<>();
    Map<String, List<String>> byHand = new HashMap<>();
    for (int q = 0; q < 30; q++) {
      JudgedQuery query = JudgedQuery.of("q" + q, "q", Map.of("b", 1));
      hits.add(new FeatureRows.Hits(query, List.of("a", "b"), List.of()));
      scores.add(new double[] {0, 1});
      byHand.put("q" + q, List.of("b"));
    }
    Comparison alone = Comparison.of(hits, scores, Map.of(), Ndcg.DEFAULT);
    assertEquals(List.of(Baseline.FIRST_PASS), alone.baselines());
    assertTrue(alone.isBetter());
    Comparison beside = Comparison.of(hits, scores, Map.of(Baseline.BY_HAND, byHand), Ndcg.DEFAULT);
    assertEquals(List.of(Baseline.FIRST_PASS, Baseline.BY_HAND), beside.baselines());
    assertEquals(1, beside.mean(Baseline.BY_HAND, Quality::ndcg));
    assertFalse(beside.isBetter(), "it is as good as what needs no model");
    assertFalse(beside.isNotWorse(), "that is not the model that serves");
    Comparison live = Comparison.of(hits, scores, Map.of(Baseline.LIVE, byHand), Ndcg.DEFAULT);
    assertFalse(live.isBetter());
    assertTrue(live.isNotWorse());
  }

  /** Better than the first pass, and worse than the model that serves. */
  @Test
  void aLossAgainstTheLiveModelIsWorse() {
    List<FeatureRows.Hits> hits = new ArrayList<>();
    List<double[]> scores = new ArrayList<>();
    Map<String, List<String>> live = new HashMap<>();
    for (int q = 0; q < 30; q++) {
      JudgedQuery query = JudgedQuery.of("q" + q, "q", Map.of("b", 1, "c", 2));
      hits.add(new FeatureRows.Hits(query, List.of("a", "b", "c"), List.of()));
      scores.add(new double[] {0, 2, 1});
      live.put("q" + q, List.of("c", "b", "a"));
    }
    Comparison comparison = Comparison.of(hits, scores, Map.of(Baseline.LIVE, live), Ndcg.DEFAULT);
    assertEquals(List.of(Baseline.FIRST_PASS), comparison.where(PairedBootstrap::isSignificant));
    assertEquals(List.of(Baseline.LIVE), comparison.where(PairedBootstrap::isSignificantLoss));
    assertFalse(comparison.isBetter());
    assertFalse(comparison.isNotWorse());
  }

  @Test
  void theVerdictNamesAllBaselines() {
    FeatureRows.Hits hits = new FeatureRows.Hits(QUERY, List.of("a", "b"), List.of());
    Comparison comparison =
        Comparison.of(
            List.of(hits),
            List.of(new double[] {0, 1}),
            Map.of(Baseline.LIVE, Map.of("q", List.of("b", "x"))),
            Ndcg.DEFAULT);
    TreeEnsemble any =
        ModelReader.read(
            "{\"a\": 1}".getBytes(StandardCharsets.UTF_8),
            ModelFormat.AUTO,
            EnsembleLimits.DEFAULT);
    TrainingReport report =
        new TrainingReport(
            Map.of(), comparison, LearningCurve.NONE, any, List.of(), Map.of(), null, null, null);
    assertTrue(
        report
            .verdict()
            .endsWith(
                ": no difference beyond noise to the first pass and to the live model (1.0000)"
                    + " (queries that differ: 1, expected at least 6)"),
        report.verdict());
  }

  @Test
  void theBootstrapTellsGainsFromNoise() {
    double[] gains = DoubleStream.iterate(0.01, g -> g + 0.001).limit(100).toArray();
    PairedBootstrap sure = PairedBootstrap.of(gains);
    assertTrue(sure.isSignificant());
    assertEquals(0, sure.share());
    assertTrue(sure.low() < sure.mean() && sure.mean() < sure.high());
    double[] noise = DoubleStream.iterate(0.1, g -> -g).limit(100).toArray();
    PairedBootstrap unsure = PairedBootstrap.of(noise);
    assertFalse(unsure.isSignificant());
    assertTrue(unsure.share() > 0.3 && unsure.share() < 0.7);
    assertEquals(unsure, PairedBootstrap.of(noise));
    assertFalse(PairedBootstrap.of(new double[0]).isSignificant());
  }

  /** One query's draws are all equal: an interval without width says nothing. */
  @Test
  void fewQueriesAreNeverBeyondNoise() {
    PairedBootstrap one = PairedBootstrap.of(new double[] {0.05});
    assertEquals(0.05, one.low());
    assertFalse(one.isSignificant());
    assertFalse(PairedBootstrap.of(new double[] {-0.05}).isSignificantLoss());
    double[] five = new double[100];
    Arrays.fill(five, 0, 5, 0.5);
    assertTrue(PairedBootstrap.of(five).low() > 0);
    assertFalse(PairedBootstrap.of(five).isSignificant(), "queries without a difference count not");
    double[] six = new double[6];
    Arrays.fill(six, 0.05);
    assertTrue(PairedBootstrap.of(six).isSignificant());
    assertFalse(PairedBootstrap.of(six).isSignificantLoss());
    Arrays.fill(six, -0.05);
    assertTrue(PairedBootstrap.of(six).isSignificantLoss());
    assertFalse(PairedBootstrap.of(six).isSignificant());
  }
}
