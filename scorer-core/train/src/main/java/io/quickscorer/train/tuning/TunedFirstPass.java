// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.tuning;

import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.quality.Ndcg;
import io.quickscorer.train.trainer.Progress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import me.tongfei.progressbar.ProgressBar;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The best of several first passes (search queries that need no model), with its hits for the
 * held-out queries. The held-out queries are not used for the choice.
 *
 * @param description a description of the first pass
 * @param tried the NDCG of each first pass on the queries that are not held out, by the description
 *     of the first pass
 * @param rankings the ids of the hits of each held-out query, by the query's id
 */
public record TunedFirstPass(
    String description, Map<String, Double> tried, Map<String, List<String>> rankings) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int BATCH = 50;
  private static final int MAX_QUERIES = 500;

  /**
   * Checks that the index contains each field.
   *
   * @throws IllegalStateException if one of the fields occurs in no document, or the cluster
   *     refuses a request
   */
  public static void check(ClusterClient client, String index, List<String> fields) {
    for (String field : fields) {
      ObjectNode body = JSON.createObjectNode();
      body.putObject("query").putObject("exists").put("field", field);
      String path = "/" + ClusterClient.encoded(index) + "/_count";
      if (client.post(path, body.toString()).get("count").asLong() == 0) {
        throw new IllegalStateException(
            "--tune-fields: no document of index [" + index + "] has field [" + field + "]");
      }
    }
  }

  /**
   * Tries several first passes (search queries that need no model), and returns the best one.
   *
   * @param fields the fields to search, of which the first is boosted
   * @param training the queries on which the first passes are tried; the first 500 are used
   * @param heldOut the queries for which the hits of the best first pass are returned
   * @param measure the measure by which first passes are compared
   * @param size number of hits of each held-out query
   * @throws IllegalStateException if the cluster refuses a search
   */
  public static TunedFirstPass choose(
      ClusterClient client,
      String index,
      List<String> fields,
      List<JudgedQuery> training,
      List<JudgedQuery> heldOut,
      Ndcg measure,
      int size) {
    List<JudgedQuery> judging = training.subList(0, Math.min(MAX_QUERIES, training.size()));
    Map<String, Double> tried = new LinkedHashMap<>();
    FirstPass best = FirstPass.PLAIN;
    double max = -1;
    try (ProgressBar bar = Progress.bar("first passes", FirstPass.ALL.size())) {
      for (FirstPass candidate : FirstPass.ALL) {
        Map<String, List<String>> found =
            search(client, index, fields, candidate, judging, measure.depth());
        double ndcg =
            judging.stream()
                .mapToDouble(q -> measure.of(q, found.getOrDefault(q.id(), List.of())))
                .average()
                .orElse(0);
        tried.put(candidate.describe(fields), ndcg);
        bar.step();
        if (ndcg > max) {
          max = ndcg;
          best = candidate;
        }
      }
    }
    return new TunedFirstPass(
        best.describe(fields), tried, search(client, index, fields, best, heldOut, size));
  }

  private static Map<String, List<String>> search(
      ClusterClient client,
      String index,
      List<String> fields,
      FirstPass firstPass,
      List<JudgedQuery> queries,
      int size) {
    Map<String, List<String>> found = new HashMap<>();
    for (int from = 0; from < queries.size(); from += BATCH) {
      List<JudgedQuery> batch = queries.subList(from, Math.min(from + BATCH, queries.size()));
      StringBuilder lines = new StringBuilder();
      for (JudgedQuery query : batch) {
        lines.append("{}\n").append(firstPass.search(fields, query.text(), size)).append('\n');
      }
      JsonNode answers =
          client
              .post("/" + ClusterClient.encoded(index) + "/_msearch", lines.toString())
              .get("responses");
      for (int q = 0; q < batch.size(); q++) {
        JsonNode answer = answers.get(q);
        if (answer.has("error")) {
          throw new IllegalStateException(
              "first pass "
                  + firstPass.describe(fields)
                  + ": the search failed: "
                  + answer.get("error"));
        }
        List<String> ids = new ArrayList<>();
        answer.at("/hits/hits").forEach(hit -> ids.add(hit.get("_id").asString()));
        found.put(batch.get(q).id(), ids);
      }
    }
    return found;
  }
}
