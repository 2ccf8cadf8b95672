// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.train.quality.Comparison;
import io.quickscorer.train.quality.Comparison.Quality;
import io.quickscorer.train.quality.PairedBootstrap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is said of a model that was evaluated.
 *
 * @param made {@code training.json}: what the model was made of
 * @param comparison of the held-out queries that have rows and judgments
 */
record Evaluation(JsonNode made, Comparison comparison) {
  /** {@code result.json}. */
  ObjectNode toJson() {
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    result.put("queries", comparison.queries().size()).put("depth", comparison.depth());
    means(result.putObject("first_pass"), comparison::meanFirst);
    means(result.putObject("model"), comparison::meanModel);
    gain(result.putObject("ndcg_gain"), comparison.bootstrap(Quality::ndcg));
    if (comparison.hasTuned()) {
      means(result.putObject("first_pass_by_hand"), comparison::meanTuned);
      gain(
          result.putObject("ndcg_gain_over_by_hand"), comparison.bootstrapOverTuned(Quality::ndcg));
    }
    result.put("better", comparison.isBetter());
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
    to.put("significant", gain.isSignificant());
  }

  private int withoutRows() {
    return made.path("queries_without_rows").asInt(0);
  }

  /** How many held-out queries have no rows or judgments any more. */
  private int unknown() {
    return made.get("held_out").size() - comparison.queries().size();
  }

  /** Sentences about the queries that are not in the means. */
  List<String> leftOut() {
    List<String> sentences = new ArrayList<>();
    if (withoutRows() > 0) {
      sentences.add(
          withoutRows()
              + " judged queries have no rows, as where the first pass finds nothing: they are not"
              + " in the means");
    }
    if (unknown() > 0) {
      sentences.add(
          unknown() + " held-out queries have no rows or judgments now: they are not in the means");
    }
    return sentences;
  }

  /** What the report begins with. */
  Map<String, String> facts(TreeEnsemble ensemble) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("trainer", made.get("trainer").asString());
    facts.put("parameters", made.get("parameters").toString());
    facts.put(
        "model",
        ensemble.trees().size() + " trees over " + ensemble.featureNames().size() + " features");
    facts.put(
        "queries",
        made.get("training_queries")
            + " to learn from ("
            + made.get("training_rows")
            + " rows), "
            + made.get("validation_queries")
            + " to stop by, "
            + made.get("held_out").size()
            + " held out; near-duplicates stand on one side");
    if (!leftOut().isEmpty()) {
      facts.put("left out", String.join("; ", leftOut()));
    }
    return facts;
  }
}
