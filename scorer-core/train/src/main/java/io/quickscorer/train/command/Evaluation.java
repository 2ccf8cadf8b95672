// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import static java.util.stream.Collectors.joining;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.train.quality.Comparison;
import io.quickscorer.train.quality.Comparison.Baseline;
import io.quickscorer.train.quality.Comparison.Quality;
import io.quickscorer.train.quality.PairedBootstrap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The evaluation of a model on held-out queries.
 *
 * @param made the content of {@code training.json}
 * @param comparison the comparison of the model's rankings with others
 * @param judged the judgments
 * @param live the rankings of the live model; null if there are none
 */
record Evaluation(
    JsonNode made, Comparison comparison, Coverage judged, LiveModel.@Nullable Ranked live) {
  /** Returns the content of {@code result.json}. */
  ObjectNode toJson() {
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    result.put("queries", comparison.queries().size());
    result.put("depth", comparison.measure().depth()).put("gain", comparison.measure().gain());
    means(result.putObject("model"), comparison::meanModel);
    for (Baseline baseline : comparison.baselines()) {
      boolean first = baseline == Baseline.FIRST_PASS;
      String name =
          switch (baseline) {
            case FIRST_PASS -> "first_pass";
            case BY_HAND -> "first_pass_by_hand";
            case LIVE -> "live";
          };
      means(result.putObject(name), of -> comparison.mean(baseline, of));
      gain(
          result.putObject(
              first ? "ndcg_gain" : "ndcg_gain_over_" + name.replace("first_pass_", "")),
          comparison.bootstrap(baseline, Quality::ndcg));
    }
    if (live != null) {
      result.putObject("against").put("name", live.name()).put("version", live.version());
    }
    result.put("better", comparison.isBetter()).put("not_worse", comparison.isNotWorse());
    result.set("judgments", judged.toJson());
    result.put("queries_without_rows", withoutRows());
    return result.put("held_out_left_out", unknown());
  }

  private static void means(ObjectNode to, ToDoubleFunction<ToDoubleFunction<Quality>> mean) {
    to.put("ndcg", mean.applyAsDouble(Quality::ndcg));
    to.put("map", mean.applyAsDouble(Quality::averagePrecision));
    to.put("mrr", mean.applyAsDouble(Quality::reciprocalRank));
  }

  private static void gain(ObjectNode to, PairedBootstrap gain) {
    to.put("mean", gain.mean()).put("low", gain.low()).put("high", gain.high());
    to.put("queries_that_differ", gain.differing());
    to.put("significant", gain.isSignificant());
    to.put("significant_loss", gain.isSignificantLoss());
  }

  private int withoutRows() {
    return made.path("queries_without_rows").asInt(0);
  }

  /** Returns the number of held-out queries that have no logged rows or no judgments any more. */
  private int unknown() {
    return made.get("held_out").size() - comparison.queries().size();
  }

  /** Returns sentences, for users, about held-out queries that are left out of the means. */
  List<String> leftOut() {
    List<String> sentences = new ArrayList<>();
    if (withoutRows() > 0) {
      sentences.add(
          withoutRows()
              + " judged queries have no rows, for example because the first pass finds nothing:"
              + " the means do not include them");
    }
    if (unknown() > 0) {
      sentences.add(
          unknown()
              + " held-out queries have no rows or judgments now: the means do not include them");
    }
    return sentences;
  }

  /** Returns facts about the training, by label, for the top of the report. */
  Map<String, String> facts(TreeEnsemble ensemble) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("trained", made.path("date").asString("") + " by " + made.get("trainer").asString());
    JsonNode logged = made.path("logged");
    if (logged.has("index")) {
      facts.put(
          "features",
          "feature set "
              + logged.path("feature_set").asString("")
              + ", index "
              + logged.get("index").asString()
              + ", "
              + logged.path("size")
              + " hits of each query");
    }
    facts.put("judgments", String.join("; ", judged.lines()));
    facts.put("found", made.path("good_answers_logged").asString(""));
    facts.put("measure", comparison.measure() + ", gain " + comparison.measure().gain());
    facts.put("parameters", made.get("parameters").toString());
    if (!made.path("categorical_features").isEmpty()) {
      facts.put("categorical features", made.get("categorical_features").toString());
    }
    facts.put(
        "model",
        ensemble.trees().size() + " trees over " + ensemble.featureNames().size() + " features");
    if (live != null) {
      facts.put("live model", live.name() + ", version " + live.version());
    }
    facts.put(
        "queries",
        made.get("training_queries")
            + " for training ("
            + made.get("training_rows")
            + " rows), "
            + made.get("validation_queries")
            + " for early stopping, "
            + made.get("held_out").size()
            + " held out; near-duplicates are in the same part");
    if (!made.path("clicks").isEmpty()) {
      facts.put(
          "clicks",
          made.get("clicks").valueStream().map(JsonNode::asString).collect(joining("; ")));
    }
    if (!leftOut().isEmpty()) {
      facts.put("left out", String.join("; ", leftOut()));
    }
    return facts;
  }
}
