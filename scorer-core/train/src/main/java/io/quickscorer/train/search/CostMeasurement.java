// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.search;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.cluster.QuickScorerApi;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.report.Frontier;
import io.quickscorer.train.report.Latency;
import io.quickscorer.train.trainer.TrainedModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Measures the times of searches with different models on a cluster. The models take turns, so that
 * other work of the cluster slows down all models equally.
 *
 * @param queries the queries to search; if there are many, only the first ones are used
 */
public record CostMeasurement(
    ClusterClient client, LoggedSearch search, String featureSet, List<JudgedQuery> queries) {
  /** Maximum number of queries for measurements of several models. */
  private static final int MAX_QUERIES = 100;

  /** Maximum number of queries for measurements of searches with and without one model. */
  private static final int MAX_LATENCY_QUERIES = 200;

  private static final String ENTRY = "QuickScorerRescore";

  /** Number of rounds through all queries. The first round warms up the cluster. */
  private static final int ROUNDS = 3;

  public CostMeasurement {
    queries = List.copyOf(queries.subList(0, Math.min(MAX_LATENCY_QUERIES, queries.size())));
  }

  private List<JudgedQuery> costQueries() {
    return queries.subList(0, Math.min(MAX_QUERIES, queries.size()));
  }

  /**
   * A model to measure.
   *
   * @param window number of hits that the model ranks
   */
  public record Ranking(TrainedModel model, int window) {}

  /**
   * The measurements of one search, or their medians over several searches.
   *
   * @param times the times of the search
   * @param aloneMicros for each feature name, the time to extract only this feature, in µs
   */
  public record Measured(Frontier.Times times, Map<String, Double> aloneMicros) {
    private static Measured median(List<Measured> searches) {
      Map<String, List<Double>> alone = new HashMap<>();
      searches.forEach(
          one ->
              one.aloneMicros.forEach(
                  (feature, micros) ->
                      alone.computeIfAbsent(feature, f -> new ArrayList<>()).add(micros)));
      Map<String, Double> medians = new HashMap<>();
      alone.forEach((feature, micros) -> medians.put(feature, median(micros, value -> value)));
      return new Measured(
          new Frontier.Times(
              median(searches, one -> one.times.searchMillis()),
              median(searches, one -> one.times.extractMicros()),
              median(searches, one -> one.times.coreMicros())),
          medians);
    }

    private static <T> double median(List<T> all, ToDoubleFunction<T> value) {
      return all.stream().mapToDouble(value).sorted().skip(all.size() / 2).findFirst().orElse(0);
    }
  }

  /** Returns the number of searches that are timed for each ranking, without the warm-up. */
  public int searches() {
    return (ROUNDS - 1) * costQueries().size();
  }

  /**
   * Measures the time that an uploaded model adds to searches. The result includes the searches
   * that other users send to the cluster during the measurement.
   *
   * @throws IllegalStateException if the cluster refuses a search, or the query has template tags
   *     that cannot be replaced
   */
  public Latency latency(String model) {
    tookMillis(null);
    tookMillis(model);
    double without = tookMillis(null);
    QuickScorerApi api = new QuickScorerApi(client);
    JsonNode before = api.rescoring();
    double with = tookMillis(model);
    return Latency.between(before, api.rescoring(), queries.size(), without, with);
  }

  /**
   * Returns the mean time of a search in ms.
   *
   * @param model the model that rescores the hits; null for searches without a model
   */
  private double tookMillis(@Nullable String model) {
    long took = 0;
    for (JudgedQuery query : queries) {
      ObjectNode body =
          model == null ? search.plain(query) : search.rescored(query, model, search.window());
      took += post(body).get("took").asLong();
    }
    return (double) took / Math.max(1, queries.size());
  }

  private JsonNode post(ObjectNode body) {
    return client.post("/" + ClusterClient.encoded(search.index()) + "/_search", body.toString());
  }

  /**
   * Measures searches with several models, which take turns, and returns the medians. Uploads the
   * models with unique names first, and deletes them at the end.
   *
   * @throws IllegalStateException if the cluster refuses a model or a search, or the query has
   *     template tags that cannot be replaced
   */
  public List<Measured> of(List<Ranking> rankings) throws Failure {
    QuickScorerApi api = new QuickScorerApi(client);
    String prefix = "quickscorer-cost-" + UUID.randomUUID() + "-";
    List<List<Measured>> measured = new ArrayList<>();
    try {
      for (int r = 0; r < rankings.size(); r++) {
        api.putModel(prefix + r, featureSet, rankings.get(r).model());
        measured.add(new ArrayList<>());
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (int q = 0; q < costQueries().size(); q++) {
          for (int turn = 0; turn < rankings.size(); turn++) {
            int r = (q + turn) % rankings.size();
            Measured one = time(queries.get(q), prefix + r, rankings.get(r).window());
            if (round > 0) {
              measured.get(r).add(one);
            }
          }
        }
      }
    } finally {
      for (int r = 0; r < rankings.size(); r++) {
        api.deleteModel(prefix + r);
      }
    }
    return measured.stream().map(Measured::median).toList();
  }

  /** Times one search, then repeats it with a profile (slower) to time the parts of rescoring. */
  private Measured time(JudgedQuery query, String model, int window) throws Failure {
    ObjectNode body = search.rescored(query, model, window);
    long start = System.nanoTime();
    post(body);
    double millis = (System.nanoTime() - start) / 1e6;
    JsonNode profiled = post(body.put("profile", true));
    double extract = 0;
    double core = 0;
    Map<String, Double> alone = new HashMap<>();
    boolean found = false;
    for (JsonNode entry : profiled.path("profile").findParents("breakdown")) {
      if (entry.path("type").asString("").equals(ENTRY)) {
        found = true;
        extract += entry.at("/breakdown/extract").asDouble() / 1e3;
        core += entry.path("time_in_nanos").asDouble() / 1e3;
        for (JsonNode feature : entry.path("children")) {
          double micros = feature.path("time_in_nanos").asDouble() / 1e3;
          alone.merge(feature.path("description").asString(""), micros, Double::sum);
        }
      }
    }
    if (!found && profiled.at("/hits/total/value").asLong(1) > 0) {
      throw Failure.usage(
          "--cost: the search profile of query ["
              + query.id()
              + "] has no entry of type "
              + ENTRY
              + "; install the quickscorer plugin on all nodes of the cluster");
    }
    return new Measured(new Frontier.Times(millis, extract, core), alone);
  }
}
