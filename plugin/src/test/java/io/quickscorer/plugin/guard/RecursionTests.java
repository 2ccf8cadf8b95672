// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.testing.NumberFlow;
import io.quickscorer.testing.Recursions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.test.OpenSearchTestCase;

/**
 * The plugin's methods that may call themselves again, each with the reason why its depth is
 * bounded. A new one is refused here: write it with a queue of its own, or bound its depth. A
 * listener that starts the next step of a loop is such a recursion too, because it may be answered
 * at once, on the same stack: use {@link Sequence}, or start the step as a task of a pool.
 */
public class RecursionTests extends OpenSearchTestCase {
  private static final Map<String, List<String>> BOUNDED =
      Map.of(
          "16 sections, by QueryTemplate.MAX_DEPTH",
          List.of("TemplateOutput.render"),
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
          List.of("SearchResponses.addBucketHits", "ShownHits.textBytes", "ShownHits.write"),
          "the trampoline of all loops of asynchronous steps",
          List.of("Sequence$Run.go"),
          "a repetition, of which there are a few at most, because a number or a null counts them",
          List.of(
              "CatalogueKeeper.write",
              "FeatureSetStore.read",
              "HitRankingProcessor.send",
              "RescoreActionFilter$Attempt.bindAgain",
              "RescoreActionFilter$Attempt.complete",
              "RescoreActionFilter$Attempt.failed",
              "RescoreActionFilter$Attempt.interleave"),
          "a repetition after each change that others make meanwhile to the same document or model",
          List.of(
              "FeatureSetWriter.findOwn",
              "FeatureSetWriter.write",
              "ModelLoading.begin",
              "ModelLoading.failed",
              "ModelLoading.stopped"),
          "types of a record's components, as deep as the source has them",
          List.of("WireForm.of", "WireForm.ofPresent", "WireForm.ofRecord"));

  /** Tasks for another thread; the plugin's executors are all from {@link Guard#executor}. */
  private static final Recursions.Handover HANDOVER =
      new Recursions.Handover(
          Set.of(
              "java/util/concurrent/Executor.execute",
              "io/quickscorer/plugin/guard/Guard.schedule",
              "io/quickscorer/plugin/model/node/ModelLoading.execute",
              "io/quickscorer/plugin/model/node/ModelLoading.schedule",
              "io/quickscorer/plugin/rescore/SearchWarmUp.fork"),
          Set.of(
              "org/opensearch/action/ActionRunnable.wrap",
              "org/opensearch/common/util/concurrent/ThreadContext.preserveContext"));

  public void testNoOtherMethodRecurses() throws Exception {
    assertEquals(
        NumberFlow.listed(BOUNDED),
        Recursions.inModuleOf(QuickScorerPlugin.class, HANDOVER, "io/quickscorer/plugin/"));
  }
}
