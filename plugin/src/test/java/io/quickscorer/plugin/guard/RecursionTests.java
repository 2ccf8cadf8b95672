// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.testing.NumberFlow;
import io.quickscorer.testing.Recursions;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
          "a search whose model was replaced binds it again, as often as RunningSearch.mayBindAgain"
              + " lets it",
          List.of(
              "RescoreActionFilter$Attempt.bindAgain",
              "RescoreActionFilter$Attempt.complete",
              "RescoreActionFilter$Attempt.failed",
              "RescoreActionFilter$Attempt.interleave",
              "RescoreActionFilter$Attempt.repeat"),
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

  /** Repetitions and levels of nesting, which a number or a null counts and bounds. */
  private static final List<String> COUNTED =
      List.of(
          "CatalogueKeeper.write",
          "FeatureSetStore.read",
          "HitRankingProcessor.send",
          "Input.fields",
          "Input.items",
          "Input.value");

  /** Tasks that start themselves again, each with the reason why they end or wait. */
  private static final Map<String, List<String>> TASKS =
      Map.of(
          "one run after the other, after a change of the cluster state or a pause",
          List.of("CatalogueKeeper.follow", "CatalogueKeeper.schedule"),
          "an engine is quarantined at most once, and there are a few",
          List.of(
              "EngineReplacement.compiled",
              "EngineReplacement.recompile",
              "EngineReplacement.replace"),
          "until a time",
          List.of("Retries.run"),
          "after a pause, as long as the queue of a pool is full",
          List.of("ModelLoading.execute"),
          "after a pause, as long as a current model cannot be loaded",
          List.of("ModelLoading.load", "ModelLoading.tryAgain"),
          "a list with one model less each time",
          List.of(
              "SearchWarmUp.after",
              "SearchWarmUp.finish",
              "SearchWarmUp.next",
              "SearchWarmUp.run"));

  private static final Map<String, List<String>> UNMETERED =
      Map.of(
          "each part of a query or an answer once",
          List.of(
              "ScorePlan.bool",
              "ScorePlan.node",
              "ScorePlan.nodes",
              "SearchResponses.addBucketHits",
              "SettledQueries.leaves",
              "SettledQueries.sum",
              "ShownHits.textBytes",
              "ShownHits.write"),
          "Input.nextToken counts each token",
          List.of("Input.fields", "Input.items", "Input.value"),
          "TemplateOutput.count counts each part",
          List.of("TemplateOutput.render"),
          "the trampoline of all loops of asynchronous steps",
          List.of("Sequence$Run.go"),
          "a repetition, of which there are a few",
          List.of(
              "CatalogueKeeper.write",
              "FeatureSetStore.read",
              "FeatureSetWriter.findOwn",
              "FeatureSetWriter.write",
              "HitRankingProcessor.send",
              "ModelLoading.begin",
              "ModelLoading.failed",
              "ModelLoading.stopped",
              "RescoreActionFilter$Attempt.bindAgain",
              "RescoreActionFilter$Attempt.complete",
              "RescoreActionFilter$Attempt.failed",
              "RescoreActionFilter$Attempt.interleave",
              "RescoreActionFilter$Attempt.repeat"),
          "types of a record's components",
          List.of("WireForm.of", "WireForm.ofPresent", "WireForm.ofRecord"));

  private static final String PLUGIN = "io/quickscorer/plugin/";

  private static Set<String> with(Set<String> methods, Collection<String> others) {
    Set<String> all = new TreeSet<>(methods);
    all.addAll(others);
    return all;
  }

  public void testNoOtherMethodRecurses() throws Exception {
    Set<String> bounded = NumberFlow.listed(BOUNDED);
    assertEquals(bounded, Recursions.uncounted(QuickScorerPlugin.class, HANDOVER, PLUGIN));
    assertEquals(
        with(bounded, COUNTED), Recursions.inModuleOf(QuickScorerPlugin.class, HANDOVER, PLUGIN));
  }

  /** The first one counts no steps. */
  @SuppressWarnings("unused") // read by the rule
  private static final class Planted {
    static long leaves(List<?> items) {
      return items.stream().mapToLong(i -> i instanceof List<?> list ? leaves(list) : 1).sum();
    }

    static long counted(List<?> items) {
      StepLimit.step();
      return items.stream().mapToLong(i -> i instanceof List<?> list ? counted(list) : 1).sum();
    }
  }

  /** A bounded depth does not bound the number of calls, if each call makes several. */
  public void testRecursionsCountTheirSteps() throws Exception {
    String step = StepLimit.class.getName().replace('.', '/') + ".step";
    assertEquals(
        NumberFlow.listed(UNMETERED),
        Recursions.unmetered(QuickScorerPlugin.class, HANDOVER, step, PLUGIN));
    assertEquals(
        Set.of("RecursionTests$Planted.leaves"),
        Recursions.unmetered(
            RecursionTests.class, HANDOVER, step, Planted.class.getName().replace('.', '/')));
  }

  /** A loop of tasks has no end in sight: use {@link Sequence}, whose steps must have an effect. */
  public void testNoOtherTaskStartsItselfAgain() throws Exception {
    assertEquals(
        with(NumberFlow.listed(BOUNDED), NumberFlow.listed(TASKS)),
        Recursions.uncounted(QuickScorerPlugin.class, Recursions.Handover.NONE, PLUGIN));
  }
}
