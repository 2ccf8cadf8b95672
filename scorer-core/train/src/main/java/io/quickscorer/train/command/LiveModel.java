// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.cluster.QuickScorerApi;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.search.LoggedSearch;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A model of the cluster, with which a new one is compared.
 *
 * @param name the model's, not an alias
 * @param version of its content
 */
record LiveModel(String name, String version) {
  /**
   * Looks up the model of a name; for an alias that divides searches, the model with most of them.
   *
   * @param name an alias or a model
   * @return null if there is neither
   * @throws IllegalStateException if the cluster returns another error
   */
  static @Nullable LiveModel of(QuickScorerApi api, String name) {
    JsonNode found = api.model(name);
    return found == null
        ? null
        : new LiveModel(found.get("name").asString(), found.get("version").asString());
  }

  /**
   * Ranks the logged hits in the cluster by the model, with the model's own features.
   *
   * @return the hits' ids, the best first, by the queries' ids
   * @throws IllegalStateException if the cluster refuses a search, or the first pass has tags that
   *     only the plugin replaces
   */
  Map<String, List<String>> rankings(
      ClusterClient client, LoggedSearch search, List<FeatureRows.Hits> hits) {
    Map<String, List<String>> rankings = new HashMap<>();
    String path = "/" + ClusterClient.encoded(search.index()) + "/_search";
    for (FeatureRows.Hits of : hits) {
      ObjectNode body = search.ranked(of.query(), of.ids(), name);
      if (body == null) {
        throw new IllegalStateException("--query has tags that only _log fills in");
      }
      JsonNode answer = client.post(path, body.toString());
      Map<String, Double> scores = new HashMap<>();
      answer
          .at("/hits/hits")
          .forEach(hit -> scores.put(hit.get("_id").asString(), hit.get("_score").asDouble()));
      check(of, answer, scores.keySet());
      // Hits with equal scores stay in the first pass's order, as for the trained model.
      rankings.put(
          of.query().id(),
          of.ids().stream()
              .sorted(Comparator.comparingDouble((String id) -> -scores.getOrDefault(id, 0.0)))
              .toList());
    }
    return rankings;
  }

  /**
   * Checks that a model ranked all hits, since judgments may have changed.
   *
   * @param live the model's name
   * @throws Failure that names a query without a ranking
   */
  static void checkAllRanked(
      List<FeatureRows.Hits> hits, Map<String, List<String>> rankings, String live) throws Failure {
    for (FeatureRows.Hits of : hits) {
      if (!rankings.containsKey(of.query().id())) {
        throw Failure.usage(
            "query ["
                + of.query().id()
                + "] is not among those that model ["
                + live
                + "] ranked; run quickscorer evaluate with --cluster and --against "
                + live);
      }
    }
  }

  /** Checks that both models rank the same hits; otherwise one would look better. */
  private void check(FeatureRows.Hits of, JsonNode answer, Set<String> ranked) {
    if (answer.path("timed_out").asBoolean(false) || answer.at("/_shards/failed").asInt(0) > 0) {
      throw new IllegalStateException(
          "query [" + of.query().id() + "]: some shards did not answer; try again");
    }
    for (String id : of.ids()) {
      if (!ranked.contains(id)) {
        throw new IllegalStateException(
            "query ["
                + of.query().id()
                + "]: document ["
                + id
                + "], which was logged, is not found with model ["
                + name
                + "]; log again");
      }
    }
  }
}
