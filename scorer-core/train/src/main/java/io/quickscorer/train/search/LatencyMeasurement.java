// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.search;

import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.cluster.QuickScorerApi;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.report.Latency;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Measures the time that an uploaded model adds to searches, one search after the other. */
public final class LatencyMeasurement {
  /** Maximum number of searches measured; the same number before them warms up the cluster. */
  private static final int MAX_SEARCHES = 200;

  private LatencyMeasurement() {}

  /**
   * Searches with and without the model. The counters are summed over all nodes, and include other
   * searches at the same time.
   *
   * @param plain returns the body of a query's search without the model
   * @param rescored returns it with the model
   * @throws IllegalStateException if the cluster refuses a search
   */
  public static Latency of(
      ClusterClient client,
      String index,
      List<JudgedQuery> queries,
      Function<JudgedQuery, ObjectNode> plain,
      Function<JudgedQuery, ObjectNode> rescored) {
    List<JudgedQuery> some = queries.subList(0, Math.min(MAX_SEARCHES, queries.size()));
    search(client, index, some, plain);
    search(client, index, some, rescored);
    double first = search(client, index, some, plain);
    QuickScorerApi api = new QuickScorerApi(client);
    JsonNode before = api.rescoring();
    double with = search(client, index, some, rescored);
    return Latency.between(before, api.rescoring(), some.size(), first, with);
  }

  private static double search(
      ClusterClient client,
      String index,
      List<JudgedQuery> queries,
      Function<JudgedQuery, ObjectNode> body) {
    long took = 0;
    for (JudgedQuery query : queries) {
      took +=
          client
              .post("/" + ClusterClient.encoded(index) + "/_search", body.apply(query).toString())
              .get("took")
              .asLong();
    }
    return (double) took / Math.max(1, queries.size());
  }
}
