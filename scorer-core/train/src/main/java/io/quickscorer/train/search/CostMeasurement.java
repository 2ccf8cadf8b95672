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
 * Measures the times of searches with different models on a cluster. The models take turns, so that
 * other load slows down all of them equally.
 *
 * @param queries the queries to search; only the first ones are used if there are many
 */
public record CostMeasurement(
    ClusterClient client, LoggedSearch search, String featureSet, List<JudgedQuery> queries) {
  /** Maximum number of queries if several models are measured. */
  private static final int MAX_QUERIES = 100;

  /** Maximum number of queries if searches with and without one model are measured. */
  private static final int MAX_LATENCY_QUERIES = 200;

  private static final String ENTRY = "QuickScorerRescore";

  /** Number of rounds through the queries; the first one warms up the cluster. */
  private static final int ROUNDS = 3;

  public CostMeasurement {
    queries = List.copyOf(queries.subList(0, Math.min(MAX_LATENCY_QUERIES, queries.size())));
  }

  private List<JudgedQuery> costQueries() {
    return queries.subList(0, Math.min(MAX_QUERIES, queries.size()));
  }

  /** A model, and the number of hits that it ranks. */
  public record Ranking(TrainedModel model, int window) {}

  /** The times of a ranking, and the time of each of its features alone, in µs. */
  public record Measured(Frontier.Times times, Map<String, Double> aloneMicros) {}

  /** The times of the single searches with one model. */
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

  /** Returns the number of searches that are timed for each ranking. */
  public int searches() {
    return (ROUNDS - 1) * costQueries().size();
  }

  /**
   * Measures the time that an uploaded model adds to searches, which are sent one after the other.
   * A first round warms up the cluster. The plugin's counters are summed over all nodes, and
   * include other searches at the same time.
   *
   * @throws Failure if the first pass has tags that only {@code _log} can replace
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

  /** Returns the mean time of a search with a model, or without one if it is null, in ms. */
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
      throw Failure.usage("--query contains template tags that only _log can replace");
    }
    return client.post("/" + ClusterClient.encoded(search.index()) + "/_search", body.toString());
  }

  /**
   * Uploads the models with unique names, measures searches with each of them in turn, and deletes
   * the models. Returns the results in the order of the rankings.
   *
   * @throws Failure if the first pass has tags that only {@code _log} can replace, or a profile
   *     lacks the rescoring
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
        for (int q = 0; q < costQueries().size(); q++) {
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

  /**
   * Times a search in the client, and repeats the search with a profile for the times of its parts.
   * The profile makes a search slower.
   */
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
