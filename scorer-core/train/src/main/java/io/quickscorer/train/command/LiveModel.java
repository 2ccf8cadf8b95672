// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.cluster.QuickScorerApi;
import io.quickscorer.train.data.FeatureRows;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A model of the cluster, which a new one is held against.
 *
 * @param name the model's, never an alias
 * @param version of its content
 */
record LiveModel(String name, String version) {
  private static final int BATCH = 50;

  /**
   * The model for which a name stands; of an alias that divides searches the one with most of them.
   *
   * @param name an alias or a model
   * @return null if there is neither
   * @throws IllegalStateException if the cluster answers with another error
   */
  static @Nullable LiveModel of(QuickScorerApi api, String name) {
    JsonNode found = api.model(name);
    return found == null
        ? null
        : new LiveModel(found.get("name").asString(), found.get("version").asString());
  }

  /**
   * Lets the cluster rank the logged hits by the model, with the model's own features.
   *
   * @return the hits' ids, the best first, by the queries' ids
   * @throws IllegalStateException if the cluster refuses a search, or the first pass has tags that
   *     only the plugin fills in
   */
  Map<String, List<String>> rankings(
      ClusterClient client, LoggedSearch search, List<FeatureRows.Hits> hits) {
    Map<String, List<String>> rankings = new HashMap<>();
    for (int from = 0; from < hits.size(); from += BATCH) {
      List<FeatureRows.Hits> batch = hits.subList(from, Math.min(from + BATCH, hits.size()));
      StringBuilder lines = new StringBuilder();
      for (FeatureRows.Hits of : batch) {
        ObjectNode body = search.ranked(of.query(), of.ids(), name);
        if (body == null) {
          throw new IllegalStateException("--query has tags that only _log fills in");
        }
        lines.append("{}\n").append(body).append('\n');
      }
      String path = "/" + ClusterClient.encoded(search.index()) + "/_msearch";
      JsonNode answers = client.post(path, lines.toString()).get("responses");
      for (int q = 0; q < batch.size(); q++) {
        JsonNode answer = answers.get(q);
        String query = batch.get(q).query().id();
        if (answer.has("error")) {
          throw new IllegalStateException(
              "model ["
                  + name
                  + "], query ["
                  + query
                  + "]: "
                  + answer
                      .at("/error/root_cause/0/reason")
                      .asString(answer.get("error").toString()));
        }
        Map<String, Double> scores = new HashMap<>();
        answer
            .at("/hits/hits")
            .forEach(hit -> scores.put(hit.get("_id").asString(), hit.get("_score").asDouble()));
        // Hits of one score in the first pass's order, as those of the model that was trained.
        List<String> ids =
            batch.get(q).ids().stream()
                .filter(scores::containsKey)
                .sorted(Comparator.comparingDouble((String id) -> -scores.get(id)))
                .toList();
        rankings.put(query, ids);
      }
    }
    return rankings;
  }
}
