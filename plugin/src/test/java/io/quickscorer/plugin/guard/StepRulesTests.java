// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.testing.GrowingTexts;
import io.quickscorer.testing.Loops;
import io.quickscorer.testing.NumberFlow;
import io.quickscorer.testing.OpenLoops;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.test.OpenSearchTestCase;

/**
 * Loops within loops count their steps, so that work on data from outside ends if it takes too many
 * steps, if its request was cancelled, or if the client is gone. Methods that do not are listed by
 * the bound of their loops.
 */
public class StepRulesTests extends OpenSearchTestCase {
  private static final Map<String, List<String>> OTHERS =
      Map.of(
          "documents, features, clauses and hits of a search, which limits bound and a search's"
              + " cancellation ends",
          List.of(
              "Cascade.marks",
              "ClauseProfile$StageProfile.add",
              "ClauseProfile$StageProfile.addFeatures",
              "ClauseProfile.add",
              "ClauseProfile.result",
              "DistanceFeature$Bound.distances",
              "EnsembleRescoreContext.getParsedQueries",
              "EnsembleRescoreContext.getQueries",
              "EnsembleRescoreContext.keepRowsOf",
              "EnsembleRescorer.sort",
              "ExpressionFeature$Bound.onShard",
              "FieldValues.codes",
              "FieldValues.keywords",
              "FieldValues.numbers",
              "FieldValues.of",
              "GlobalWindow.bytes",
              "GlobalWindow.of",
              "GlobalWindow.only",
              "GlobalWindow.scale",
              "GlobalWindow.width",
              "InterleavedSearch.answer",
              "InterleavedSearch.page",
              "InterleavedSearch.rankedBy",
              "LogExport.write",
              "LogFormat$5.header",
              "LoggedRowStore.closeIf",
              "LoggedRowStore.forEachShowing",
              "LoggedRowStore.put",
              "LoggedRows.of",
              "LoggedRows.only",
              "LuceneExpression.evaluate",
              "ModelExplanation.details",
              "ModelScores.of",
              "ModelScores.score",
              "Modifiers.apply",
              "Modifiers.store",
              "PhaseListener.onFetchPhase",
              "PhaseListener.onPreQueryPhase",
              "RescoreExt.of",
              "RescoreFetchPhase$Processor.process",
              "RescoreProfile.of",
              "ScoreNode$OfMax.block",
              "ScoreNode$OfSum.block",
              "ScorePlan.block",
              "ScorePlan.bool",
              "ScorePlan.node",
              "ScorePlan.nodes",
              "ScorePlan.run",
              "ScorePlan.scorer",
              "ScoredWindow.close",
              "ScoredWindow.copy",
              "ScoredWindow.extract",
              "ScoredWindow.of",
              "ScorerNode.block",
              "SearchBatch.run",
              "SearchResponses.addBucketHits",
              "SettledQueries.isSettled",
              "SettledQueries.sum",
              "ShardFeatures.collect",
              "ShardFeatures.of",
              "ShardFeatures.scoreQueries",
              "ShardFeatures.scratchBytes",
              "ShardFeatures.wanted",
              "ShownHits.bytes",
              "ShownHits.textBytes",
              "ShownHits.write",
              "TeamDraft.draft",
              "TermStatisticsFeature$QueryTerms.ofDocuments",
              "TermStatisticsFeature$QueryTerms.ofShard",
              "TracedSearch.shown",
              "VectorFeature$Bound.similarities",
              "Window.forEachSegment"),
          "features and trees of a model, which its limits bound",
          List.of(
              "ClauseState$Loading.compile",
              "ClauseState$Loading.prepare",
              "DriftWindows$Model.<init>",
              "DriftWindows$Model.end",
              "DriftWindows$Model.warn",
              "DriftWindows.alarms",
              "DriftWindows.observe",
              "EngineReplacement.recompileAll",
              "FeatureBinding.firstTreeTesting",
              "FeatureBins.edges",
              "FeatureReports.drifts",
              "LiveValidation.report",
              "Mismatch.describe",
              "ObservedFeatures.observe"),
          "models, aliases, pipelines and nodes of the cluster",
          List.of(
              "CatTable.addModels",
              "CatTable.aliases",
              "CatTable.featureSets",
              "ComparisonCounts.and",
              "ComparisonStats.scored",
              "LoadMarks.retain",
              "LoadQueue.next",
              "ModelLoading.close",
              "ModelRegistry.readiness",
              "ModelService.states",
              "Models.deleteIfBroken",
              "Models.states",
              "NodeMetrics.devices",
              "NodeMetrics.models",
              "NodeMetrics.pipelines",
              "NodeStats.toXContent",
              "PipelineStats$Counts.toXContent",
              "PipelineStats.counts",
              "PrometheusText.counters",
              "PrometheusText.histogram",
              "PrometheusText.times",
              "RecentRequests.isChanged",
              "RescoreStats.bound",
              "RescoreStats.counts",
              "RescoreStats.failed",
              "RescoreStats.overBudget",
              "TelemetryMetrics.<init>",
              "TimeCounters$Reading.toXContent",
              "TimeCounters.read",
              "VerifyStats.counts"),
          "blocks of a compressed file of limited size, each with a few resizes of a charge",
          List.of("Gzip.decompress"),
          "query types of a pipeline, whose definition has a maximum size",
          List.of("ParamSource$QueryText.find"),
          "members of the plugin's own types, and steps that return before the next begins",
          List.of(
              "Endpoints.shown",
              "FeatureKinds.namedWriteables",
              "Sequence$Run.go",
              "WireForm.ofRecord"));

  /** Methods with a loop whose number of rounds no size bounds, by the reason why it ends. */
  private static final Map<String, List<String>> ENDING =
      Map.of(
          "the causes of an exception",
          List.of("Failures.isLong"),
          "the dots of a field's name",
          List.of("FeatureSets.lack", "ShardBinding.fieldOfHit"),
          "each round makes a longer name, and the names in use are finite",
          List.of("FinalBinder.field"),
          "each round goes on in the lines or hits, whose position is a field",
          List.of("Import$Lines.store", "TeamDraft.advance"),
          "each round halves the size of a block",
          List.of("ModelScores.score"));

  public void testTextsAreBuiltByBuilders() throws Exception {
    assertEquals(Set.of(), GrowingTexts.inModuleOf(QuickScorerPlugin.class));
  }

  public void testLoopsEnd() throws Exception {
    assertEquals(
        NumberFlow.listed(ENDING),
        OpenLoops.inModuleOf(QuickScorerPlugin.class, "io/quickscorer/plugin/"));
  }

  public void testNestedLoopsCountTheirSteps() throws Exception {
    assertEquals(
        NumberFlow.listed(OTHERS),
        Loops.inModuleOf(
            QuickScorerPlugin.class,
            Set.of("io/quickscorer/plugin/guard/StepLimit.step"),
            "io/quickscorer/plugin/"));
  }
}
