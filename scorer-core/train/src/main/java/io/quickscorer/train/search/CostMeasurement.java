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
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Measures the times of searches with different models on a cluster, in turns, so that other load
 * slows all of them equally.
 *
 * @param queries to search, or more
 */
public record CostMeasurement(
    ClusterClient client, LoggedSearch search, String featureSet, List<JudgedQuery> queries) {
  /** Maximum number of queries searched with each of several models. */
  private static final int MAX_QUERIES = 100;

  /** Maximum number of queries searched with and without one model. */
  private static final int MAX_LATENCY_QUERIES = 200;

  private static final String ENTRY = "QuickScorerRescore";

  /** Rounds over the queries; the first warms up the cluster. */
  private static final int ROUNDS = 3;

  public CostMeasurement {
    queries = List.copyOf(queries.subList(0, Math.min(MAX_LATENCY_QUERIES, queries.size())));
  }

  private List<JudgedQuery> some() {
    return queries.subList(0, Math.min(MAX_QUERIES, queries.size()));
  }

  /** A model and the number of hits it ranks. */
  public record Ranking(TrainedModel model, int window) {}

  /** The times of a ranking, and of each of its features alone in microseconds. */
  public record Measured(Frontier.Times times, Map<String, Double> aloneMicros) {}

  /** Times of single searches. */
  private static final class Samples {
    private final List<Double> searchMillis = new ArrayList<>();
    private final List<Double> extractMicros = new ArrayList<>();
    private final List<Double> coreMicros = new ArrayList<>();
    private final Map<String, List<Double>> aloneMicros = new HashMap<>();

    Measured medians() {
      Map<String, Double> alone = new HashMap<>();
      aloneMicros.forEach((feature, micros) -> alone.put(feature, median(micros)));
      return new Measured(
          new Frontier.Times(median(searchMillis), median(extractMicros), median(coreMicros)),
          alone);
    }

    private static double median(List<Double> values) {
      return values.stream().sorted().skip(values.size() / 2).findFirst().orElse(0.0);
    }
  }

  /** Returns the number of searches timed for each ranking. */
  public int searches() {
    return (ROUNDS - 1) * some().size();
  }

  /**
   * Measures the time that an uploaded model adds to searches, one search after the other, after a
   * round that warms up the cluster. The counters are summed over all nodes, and include other
   * searches at the same time.
   *
   * @throws Failure if the first pass cannot be searched
   * @throws IllegalStateException if the cluster refuses a search
   */
  public Latency latency(String model) throws Failure {
    tookMillis(null);
    tookMillis(model);
    double without = tookMillis(null);
    QuickScorerApi api = new QuickScorerApi(client);
    JsonNode before = api.rescoring();
    double with = tookMillis(model);
    return Latency.between(before, api.rescoring(), queries.size(), without, with);
  }

  /** Returns the mean time of a search, with a model or without one. */
  private double tookMillis(@Nullable String model) throws Failure {
    long took = 0;
    for (JudgedQuery query : queries) {
      took +=
          post(model == null ? search.plain(query) : search.rescored(query, model, search.window()))
              .get("took")
              .asLong();
    }
    return (double) took / Math.max(1, queries.size());
  }

  private JsonNode post(@Nullable ObjectNode body) throws Failure {
    if (body == null) {
      throw Failure.usage("--query has tags that only _log replaces");
    }
    return client.post("/" + ClusterClient.encoded(search.index()) + "/_search", body.toString());
  }

  /**
   * Uploads the models under unique names, searches with each in turn, and deletes them.
   *
   * @throws Failure if the first pass cannot be searched, or a search has no profile
   * @throws IllegalStateException if the cluster refuses a model or a search
   */
  public List<Measured> of(List<Ranking> rankings) throws Failure {
    QuickScorerApi api = new QuickScorerApi(client);
    String prefix = "quickscorer-cost-" + UUID.randomUUID() + "-";
    List<Samples> samples = new ArrayList<>();
    try {
      for (int r = 0; r < rankings.size(); r++) {
        api.putModel(prefix + r, featureSet, rankings.get(r).model());
        samples.add(new Samples());
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (int q = 0; q < some().size(); q++) {
          for (int turn = 0; turn < rankings.size(); turn++) {
            int r = (q + turn) % rankings.size();
            Samples to = round == 0 ? new Samples() : samples.get(r);
            time(queries.get(q), prefix + r, rankings.get(r).window(), to);
          }
        }
      }
    } finally {
      for (int r = 0; r < rankings.size(); r++) {
        api.deleteModel(prefix + r);
      }
    }
    return samples.stream().map(Samples::medians).toList();
  }

  /** Sends one search as a client does, and one with a profile, which takes longer. */
  private void time(JudgedQuery query, String model, int window, Samples to) throws Failure {
    ObjectNode body = search.rescored(query, model, window);
    long start = System.nanoTime();
    post(body);
    to.searchMillis.add((System.nanoTime() - start) / 1e6);
    JsonNode profiled = post(body == null ? null : body.put("profile", true));
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
      throw Failure.usage("--cost: the profile of a search has no entry of type " + ENTRY);
    }
    to.extractMicros.add(extract);
    to.coreMicros.add(core);
    alone.forEach(
        (feature, micros) ->
            to.aloneMicros.computeIfAbsent(feature, f -> new ArrayList<>()).add(micros));
  }
}
