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
 * A model in the cluster with which a new model is compared.
 *
 * @param name the name of the model
 * @param version identifies the content of the model
 */
record LiveModel(String name, String version) {
  /**
   * Returns the model with this name or alias; null if there is none. If an alias divides searches
   * among several models, returns the model that gets the most searches.
   */
  static @Nullable LiveModel of(QuickScorerApi api, String name) {
    JsonNode found = api.model(name);
    return found == null
        ? null
        : new LiveModel(found.get("name").asString(), found.get("version").asString());
  }

  /**
   * A model's rankings of the held-out queries' hits, the content of {@code live.json}.
   *
   * @param name the name of the model
   * @param version identifies the content of the model
   * @param rankings the ids of the ranked hits, by query id
   */
  record Ranked(String name, String version, Map<String, List<String>> rankings) {
    /**
     * Checks that the model has ranked the hits of all queries. Queries that were judged after the
     * model ranked have no ranking.
     *
     * @throws Failure if a query has no ranking
     */
    void checkAll(List<FeatureRows.Hits> hits) throws Failure {
      for (FeatureRows.Hits logged : hits) {
        if (!rankings.containsKey(logged.query().id())) {
          throw Failure.usage(
              "query ["
                  + logged.query().id()
                  + "] was not ranked by model ["
                  + name
                  + "]; run quickscorer evaluate with --cluster and --against "
                  + name);
        }
      }
    }
  }

  /** Ranks the given hits of each query by this model. */
  Ranked rank(ClusterClient client, LoggedSearch search, List<FeatureRows.Hits> hits) {
    Map<String, List<String>> rankings = new HashMap<>();
    String path = "/" + ClusterClient.encoded(search.index()) + "/_search";
    for (FeatureRows.Hits logged : hits) {
      ObjectNode body = search.ranked(logged.query(), logged.ids(), name);
      JsonNode answer = client.post(path, body.toString());
      Map<String, Double> scores = new HashMap<>();
      answer
          .at("/hits/hits")
          .forEach(hit -> scores.put(hit.get("_id").asString(), hit.get("_score").asDouble()));
      check(logged, answer, scores.keySet());
      // Hits with equal scores keep the order of the first pass, as in the rankings of the trained
      // model.
      rankings.put(
          logged.query().id(),
          logged.ids().stream()
              .sorted(Comparator.comparingDouble((String id) -> -scores.getOrDefault(id, 0.0)))
              .toList());
    }
    return new Ranked(name, version, rankings);
  }

  /**
   * Checks that the model has ranked all logged hits of a query; without some hits, the comparison
   * would be unfair.
   */
  private void check(FeatureRows.Hits logged, JsonNode answer, Set<String> ranked) {
    if (answer.path("timed_out").asBoolean(false) || answer.at("/_shards/failed").asInt(0) > 0) {
      throw new IllegalStateException(
          "query [" + logged.query().id() + "]: some shards did not respond; try again");
    }
    for (String id : logged.ids()) {
      if (!ranked.contains(id)) {
        throw new IllegalStateException(
            "query ["
                + logged.query().id()
                + "]: logged document ["
                + id
                + "] was not found in the search with model ["
                + name
                + "]; log the features again");
      }
    }
  }
}
