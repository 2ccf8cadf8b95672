// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.testing.Loops;
import java.util.List;
import java.util.Set;
import org.opensearch.test.OpenSearchTestCase;

/**
 * Loops within loops over data from outside count their steps, so that they end where there are too
 * many, the request was cancelled or its client is gone. Those over a search's documents look for
 * the search's own end, and are not among these.
 */
public class WorkRulesTests extends OpenSearchTestCase {
  /**
   * Packages, and classes of packages that also read documents; a name stands for all that begin
   * with it.
   */
  private static final List<String> PARSERS =
      List.of(
          "action/resource/FeatureSetCheck",
          "action/resource/QueryFields",
          "action/resource/TransportDeleteFeatureSetAction",
          "action/resource/TransportExportAction",
          "action/resource/TransportGetFeatureSetsAction",
          "action/resource/TransportImportAction",
          "action/resource/TransportImportAllAction",
          "action/resource/TransportPutFeatureSetAction",
          "door/",
          "feature/BoundFeatures",
          "feature/FeatureBinder",
          "feature/FeatureOrder",
          "feature/FeatureSet",
          "feature/NamePatterns",
          "feature/expression/",
          "feature/template/",
          "model/upload/",
          "rescore/ClauseProcessor",
          "rescore/DerivedFields",
          "rescore/Eligibility",
          "rescore/HitRankingProcessor",
          "rescore/Kinds",
          "rescore/ParamSource",
          "rescore/PipelineModule",
          "rescore/PipelineNames",
          "rescore/RankedHits",
          "rescore/RankingOptions",
          "rescore/RankingProcessor",
          "rescore/SearchBody",
          "rescore/SearchWarmUp",
          "rescore/Traffic",
          "rescore/WarmUpSearches",
          "rescore/clause/",
          "stats/TransportGetComparisonsAction",
          "stats/TransportResetComparisonsAction");

  public void testNestedLoopsCountTheirSteps() throws Exception {
    assertEquals(
        Set.of(),
        Loops.inModuleOf(
            QuickScorerPlugin.class,
            Set.of("io/quickscorer/plugin/guard/Work.step"),
            PARSERS.stream().map("io/quickscorer/plugin/"::concat).toArray(String[]::new)));
  }
}
