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
   * @param model the model
   * @param window the number of hits that it ranks
   */
  public record Ranking(TrainedModel model, int window) {}

  /**
   * The measurements for a ranking.
   *
   * @param times the times of its searches
   * @param aloneMicros the time to extract each of its features alone, in µs, by the feature's name
   */
  public record Measured(Frontier.Times times, Map<String, Double> aloneMicros) {}

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

  /** Returns the number of searches that are timed for each ranking, without the warm-up. */
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

  /**
   * Returns the mean time of a search, in ms.
   *
   * @param model the name of the model that rescores; null for none
   */
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
   * Times one search in the client. Then repeats it with a profile, which makes it slower, for the
   * times of its parts.
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
