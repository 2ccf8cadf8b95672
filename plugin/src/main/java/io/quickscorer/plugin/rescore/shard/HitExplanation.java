// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.feature.Cancellation;
import io.quickscorer.plugin.feature.Window;
import io.quickscorer.plugin.memory.SearchSettings;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import java.io.IOException;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;

/** Explains how a hit's score was computed, on the shard that computed it. */
final class HitExplanation {
  private HitExplanation() {}

  /**
   * Checks the time for the explanations of a search.
   *
   * @param nanos the time spent so far, in nanoseconds
   * @param where text for the message that says which hits are explained
   * @throws OpenSearchStatusException (504) if they took too long
   */
  static void checkTime(RescoreServices services, long nanos, String where) {
    TimeValue max = services.memory().limits().get(SearchSettings.MAX_EXPLAIN_TIME);
    if (nanos > max.nanos()) {
      throw new OpenSearchStatusException(
          "explaining the hits takes longer than [{}] {}{}; request fewer hits",
          RestStatus.GATEWAY_TIMEOUT,
          SearchSettings.MAX_EXPLAIN_TIME.getKey(),
          max,
          where);
    }
  }

  static Explanation timed(
      int doc, IndexSearcher searcher, EnsembleRescoreContext context, Explanation source)
      throws IOException {
    checkTime(context.services(), context.explainNanos(), " on at least one shard");
    long start = System.nanoTime();
    try {
      return of(doc, searcher, context, source);
    } finally {
      context.addExplainNanos(System.nanoTime() - start);
    }
  }

  private static Explanation of(
      int doc, IndexSearcher searcher, EnsembleRescoreContext context, Explanation source)
      throws IOException {
    ClauseOptions options = context.options();
    if (options.isGlobal() || context.bound().ids().isEmpty()) {
      ScoreDoc[] hit = {new ScoreDoc(doc, source.getValue().floatValue())};
      float standing = context.firstPass(hit, searcher)[0].score;
      return standing == hit[0].score
          ? source
          : Explanation.match(standing, "score of the hit in the earlier search");
    }
    ModelId id = context.bound().ids().getFirst();
    float firstPass = source.getValue().floatValue();
    int reached = context.stageOf(doc);
    if (reached < 0) {
      return options.outsideWindow().explain(id.name(), firstPass, options.stages().size(), source);
    }
    Cancellation.of(searcher).check();
    BoundClause.Stage stage = context.stages().get(reached);
    Window window = new Window(new int[] {doc}, new float[] {firstPass});
    try (RescoreServices.ModelUses uses = context.services().acquire(stage.bound().ids());
        ScoredWindow scored =
            ScoredWindow.withInputs(context, stage, uses.models(), window, searcher)) {
      CompiledModel model = uses.models().getFirst();
      double score = scored.scores()[0][0];
      Explanation byModel =
          new ModelExplanation(
                  context.services(),
                  stage.options(),
                  stage.bound().groups().get(stage.rankingGroup()).features(),
                  model,
                  context.answer())
              .of(score, scored.explained(model, searcher));
      Explanation byStage = scored.finalScores().explain(0, firstPass, score, byModel, source);
      return reached < context.stages().size() - 1
          ? notKept(options, reached, stage, byStage)
          : byStage;
    }
  }

  /**
   * Explains the score of a hit that a stage ranked but did not keep for the next stage.
   *
   * @param reached the stage's index, from 0
   * @param byStage the explanation of the score that the stage computed
   */
  private static Explanation notKept(
      ClauseOptions options, int reached, BoundClause.Stage stage, Explanation byStage) {
    int stages = options.stages().size();
    return Explanation.match(
        options
            .outsideWindow()
            .score(byStage.getValue().floatValue(), stages - 1 - reached, stages + 1),
        "not among the ["
            + stage.keep()
            + "] best of stage "
            + (reached + 1)
            + " of "
            + (stages + 1)
            + ": below all hits of the next stage, by:",
        byStage);
  }
}
