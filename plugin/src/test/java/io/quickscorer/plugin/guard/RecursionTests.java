// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.testing.Recursions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.test.OpenSearchTestCase;

/**
 * The plugin's methods that may call themselves again, each with the reason why its depth is
 * bounded. A new one is refused here: write it with a queue of its own, or bound its depth.
 */
public class RecursionTests extends OpenSearchTestCase {
  private static final Map<String, List<String>> BOUNDED =
      Map.of(
          "16 sections, by QueryTemplate.MAX_DEPTH",
          List.of("QueryTemplate.render"),
          "a feature set or its metadata, as deep as QueryText.checkDepth and WellFormed let it be",
          List.of("ModelVersion.sorted"),
          "a query that the server has parsed and rewritten by recursion, on a guarded thread",
          List.of(
              "ScorePlan.bool",
              "ScorePlan.node",
              "ScorePlan.nodes",
              "SettledQueries.leaves",
              "SettledQueries.sum"),
          "a search's body that the server has written by recursion, on a guarded thread",
          List.of(
              "ParamSource$Path.find", "ParamSource$QueryText.find", "ParamSource$QueryText.text"),
          "an answer's aggregations and inner hits, as deep as the request that the server has"
              + " read",
          List.of("BucketHits.add", "ShownHits.textBytes", "ShownHits.write"),
          "the next piece of a loop: after an answer of the server, which is on another stack",
          List.of(
              "CatalogueKeeper.follow",
              "CatalogueKeeper.schedule",
              "CatalogueKeeper.write",
              "FeatureSetStore.list",
              "FeatureSetStore.read",
              "FeatureSetWriter.findOwn",
              "FeatureSetWriter.write",
              "FeaturesCache.readAhead",
              "HitRankingProcessor.send",
              "LogExport.begin",
              "LogExport.next",
              "LogExport.searchNext",
              "LogExport.write",
              "RescoreActionFilter$Attempt.bindAgain",
              "RescoreActionFilter$Attempt.complete",
              "RescoreActionFilter$Attempt.failed",
              "RescoreActionFilter$Attempt.interleave",
              "Retries.run",
              "SearchBatch.done",
              "SearchBatch.searchNext",
              "Sequence$Run.go",
              "TransportExportAction$Piece.failed",
              "TransportExportAction$Piece.next",
              "TransportExportAction$Piece.read",
              "TransportExportAction$Piece.write",
              "TransportImportAllAction$Import.done",
              "TransportImportAllAction$Import.next",
              "TransportImportAllAction$Import.store",
              "WarmUpSearches.failed",
              "WarmUpSearches.next",
              "WarmUpSearches.sample",
              "WarmUpSearches.search"),
          "types of a record's components, as deep as the source has them",
          List.of("WireForm.of", "WireForm.ofPresent", "WireForm.ofRecord"),
          "a task of a pool, which begins on a stack of its own",
          List.of(
              "EngineReplacement.compiled",
              "EngineReplacement.recompile",
              "EngineReplacement.replace",
              "ModelLoading.begin",
              "ModelLoading.execute",
              "ModelLoading.failed",
              "ModelLoading.stopped",
              "SearchWarmUp.after",
              "SearchWarmUp.finish",
              "SearchWarmUp.next",
              "SearchWarmUp.run"));

  public void testNoOtherMethodRecurses() throws Exception {
    Set<String> listed = new TreeSet<>();
    BOUNDED.values().forEach(listed::addAll);
    assertEquals(listed, Recursions.inModuleOf(QuickScorerPlugin.class, "io/quickscorer/plugin/"));
  }
}
