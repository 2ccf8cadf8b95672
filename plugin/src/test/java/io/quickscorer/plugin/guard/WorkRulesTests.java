// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.testing.Loops;
import io.quickscorer.testing.NumberFlow;
import io.quickscorer.testing.OpenLoops;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.test.OpenSearchTestCase;

/**
 * Loops within loops count their steps, so that work on data from outside ends if it takes too many
 * steps, if its request was cancelled, or if the client is gone. Classes that are not held to this
 * are listed by the bound of their loops.
 */
public class WorkRulesTests extends OpenSearchTestCase {
  private static final Map<String, List<String>> OTHERS =
      Map.of(
          "documents, features, clauses and hits of a search, which limits bound and a search's"
              + " cancellation ends",
          List.of(
              "Cascade",
              "ClauseProfile",
              "DistanceFeature",
              "DocSet",
              "EnsembleRescoreContext",
              "EnsembleRescorer",
              "ExpressionFeature",
              "FieldValues",
              "GlobalWindow",
              "InterleavedSearch",
              "LogExport",
              "LogFormat",
              "LoggedRowStore",
              "LoggedRows",
              "LuceneExpression",
              "ModelExplanation",
              "ModelScores",
              "Modifiers",
              "PhaseListener",
              "RescoreExt",
              "RescoreFetchPhase",
              "RescoreProfile",
              "ScoreNode",
              "ScorerNode",
              "ScorePlan",
              "ScoredWindow",
              "SearchBatch",
              "SearchResponses",
              "SettledQueries",
              "ShardFeatures",
              "ShownHits",
              "TeamDraft",
              "TermStatisticsFeature",
              "TracedSearch",
              "VectorFeature",
              "Window"),
          "features and trees of a model, which its limits bound",
          List.of(
              "DriftWindows",
              "EngineReplacement",
              "FeatureBinding",
              "FeatureBins",
              "LiveValidation",
              "ClauseState",
              "Mismatch",
              "ObservedFeatures",
              "FeatureReports"),
          "models, aliases, pipelines and nodes of the cluster",
          List.of(
              "CatTable",
              "ComparisonCounts",
              "ComparisonStats",
              "LoadMarks",
              "LoadQueue",
              "ModelLoading",
              "ModelRegistry",
              "ModelService",
              "NodeMetrics",
              "PipelineStats",
              "PrometheusText",
              "RecentRequests",
              "RescoreStats",
              "TelemetryMetrics",
              "TimeCounters",
              "Models",
              "NodeStats",
              "VerifyStats"),
          "members of the plugin's own types, and steps that return before the next begins",
          List.of("Endpoints", "FeatureKinds", "Sequence", "WireForm"));

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

  /** Returns the name of the class that a method or a class in it belongs to. */
  private static String topLevel(String method) {
    return method.split("[.$]", 2)[0];
  }

  public void testLoopsEnd() throws Exception {
    assertEquals(
        NumberFlow.listed(ENDING),
        OpenLoops.inModuleOf(QuickScorerPlugin.class, "io/quickscorer/plugin/"));
  }

  public void testNestedLoopsCountTheirSteps() throws Exception {
    Set<String> others = NumberFlow.listed(OTHERS);
    Set<String> unmetered = new TreeSet<>();
    Set<String> found = new TreeSet<>();
    for (String method :
        Loops.inModuleOf(
            QuickScorerPlugin.class,
            Set.of("io/quickscorer/plugin/guard/Work.step"),
            "io/quickscorer/plugin/")) {
      found.add(topLevel(method));
      if (!others.contains(topLevel(method))) {
        unmetered.add(method);
      }
    }
    assertEquals(Set.of(), unmetered);
    assertEquals("classes that need not be listed", others, found);
  }
}
