// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Requests that are nearly right, of every endpoint and with every field of the clause. The n-th
 * request of a seed is always the same.
 */
final class Fuzz {
  private static final String FEATURES =
      """
      {"include": [{"feature_set": "plain", "features": ["f1", "f2*"]}],
       "features": [
        {"name": "a", "type": "query", "query": {"bool": {"should": [{"match": {"t": "{{x}}"}}]}}, "missing": 0},
        {"name": "b", "type": "field", "field": "n", "mode": "max", "normalize": ["log1p", {"clip": {"min": 0, "max": 9}}]},
        {"name": "c", "type": "field", "field": "k", "categories": ["k1", "k2"]},
        {"name": "d", "type": "field", "field": "k", "hash": 16},
        {"name": "e", "type": "param", "param": "p", "default": 1},
        {"name": "g", "type": "first_pass_score", "normalize": {"z_score": {"mean": 1, "standard_deviation": 2}}},
        {"name": "h", "type": "term_statistics", "field": "t", "text": "{{x}}", "statistic": "tf", "aggregate": "sum"},
        {"name": "i", "type": "expression", "expression": "b * params.p + field.f"},
        {"name": "j", "type": "script", "script": {"source": "doc['n'].value * params.p", "params": {"p": 1}}},
        {"name": "k", "type": "vector", "field": "v", "param": "v", "similarity": "cosine"}],
       "default_params": {"x": "w1", "p": 1, "v": [1, 2, 3, 4]}}
      """;

  private static final String SEARCH =
      """
      {"query": {"match": {"t": "w1"}}, "size": 5, "from": 1, "_source": false, "explain": true,
       "rescore": [{"window_size": 20, "quickscorer": %s}]}
      """;

  private static final String ENVELOPE =
      """
      {"model": %s, "feature_set": "plain", "format": "auto", "feature_map": {"f0": "f1"},
       "feature_ranges": {"f0": [0, 1]},
       "parity": {"rows": [[0, 1, null, 1, 1, 1, 1, 1]], "expected": [1.5], "output": "raw", "tolerance_ulp": 1000}}
      """
          .formatted("\"" + Stage.trees(1, 8).replace("\"", "\\\"") + "\"");

  private static final String IMPORT =
      """
      {"_source": {"name": "m", "type": "model", "model": {"name": "m",
       "feature_set": {"name": "imported", "features": [{"name": "f0", "params": ["x"], "template_language": "mustache",
         "template": {"match": {"t": "{{x}}"}}},
         {"name": "f1", "params": ["x"], "template_language": "derived_expression", "template": "f0 * 2"}]},
       "model": {"type": "model/linear", "definition": "{\\"f0\\": 0.5, \\"f1\\": 1}"}}}}
      """;

  private static final List<String> CLAUSES =
      List.of(
          "{\"model\": \"small\", \"params\": {\"x\": \"w2\", \"p\": 3}, \"log\": true,"
              + " \"score_mode\": \"total\", \"first_pass_weight\": 1, \"model_weight\": 2,"
              + " \"outside_window\": \"keep_below\", \"output\": \"raw\", \"algorithm\":"
              + " \"auto\"}",
          "{\"models\": [\"small\", \"other\"], \"shadow_models\": [\"best\"], \"interleave\":"
              + " {\"seed\": 7}, \"params\": {\"x\": \"w2\"}}",
          "{\"model\": \"best\", \"plan\": \"vqs-128 tau=256 DS\", \"budget_ms\": 100,"
              + " \"on_budget\": \"error\"}",
          "{\"feature_set\": \"mixed\", \"params\": {\"x\": \"w1 w2\", \"p\": 2}}");

  private static final String LOG =
      """
      {"index": "docs", "format": "ranklib", "unlabelled": "skip",
       "search_type": "query_then_fetch", "size": 20,
       "query": {"match": {"t": "{{x}}"}},
       "queries": [{"qid": 1, "params": {"x": "w1"}, "labels": {"1": 2}, "ids": ["1", "2"]},
                   {"qid": 2, "params": {"x": "w2"}, "size": 3}]}
      """;

  private static final String TRIAL =
      """
      {"index": "docs", "params": {"x": "w1", "p": 1}, "query": {"match": {"t": "{{x}}"}}, "size": 20}
      """;

  private static final List<String> PATHS =
      List.of(
          "/models/small",
          "/models",
          "/models/small/_importance",
          "/models/small/_drift",
          "/feature_sets",
          "/feature_sets/mixed",
          "/aliases",
          "/aliases/best",
          "/stats",
          "/_local/stats");

  private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "DELETE");

  private final long seed;

  Fuzz(long seed) {
    this.seed = seed;
  }

  Shot shot(long n) {
    SplittableRandom random = new SplittableRandom(seed + n * 0x9E3779B97F4A7C15L);
    String attack = "FUZZ " + n;
    Mutation mutation = new Mutation(random);
    String name = "fuzz" + random.nextInt(4);
    String root = Stage.ROOT;
    return switch (random.nextInt(10)) {
      case 0 -> new Shot(attack, "PUT", root + "/feature_sets/" + name, mutation.of(FEATURES));
      case 1 -> new Shot(attack, "PUT", root + "/models/" + name, mutation.of(ENVELOPE));
      case 2 ->
          new Shot(
              attack,
              "PUT",
              root + "/models/" + name + "?feature_set=plain",
              mutation.of(Stage.trees(1, 8)));
      case 3 -> new Shot(attack, "POST", root + "/_import?name=" + name, mutation.of(IMPORT));
      case 4 ->
          new Shot(
              attack,
              "PUT",
              root + "/aliases/" + name + "a",
              mutation.of("{\"model\": \"small\"}"));
      case 5 -> new Shot(attack, "POST", root + "/feature_sets/mixed/_log", mutation.of(LOG));
      case 6 ->
          new Shot(attack, "POST", root + "/feature_sets/mixed/_validate", mutation.of(TRIAL));
      case 7 -> other(attack, random);
      default -> search(attack, random, mutation);
    };
  }

  private static Shot search(String attack, SplittableRandom random, Mutation mutation) {
    String clause = CLAUSES.get(random.nextInt(CLAUSES.size()));
    String index = random.nextBoolean() ? "docs" : "docs3";
    String body =
        random.nextInt(4) == 0
            ? mutation.of(SEARCH.formatted(clause))
            : SEARCH.formatted(mutation.of(clause));
    return new Shot(attack, "POST", "/" + index + "/_search", body);
  }

  /** Any method on any path, which is cut or lengthened now and then. */
  private static Shot other(String attack, SplittableRandom random) {
    String path = PATHS.get(random.nextInt(PATHS.size()));
    if (random.nextInt(3) == 0) {
      path = path.replace("small", "fuzz0").replace("best", "fuzz1a").replace("mixed", "fuzz2");
    } else if (random.nextInt(3) == 0) {
      path = path.substring(0, random.nextInt(path.length())) + "%20" + random.nextInt(3);
    }
    String method = METHODS.get(random.nextInt(METHODS.size()));
    boolean staged = path.contains("small") || path.contains("best") || path.contains("mixed");
    return new Shot(
        attack,
        // What is staged is needed by the other requests.
        staged && (method.equals("DELETE") || method.equals("PUT")) ? "GET" : method,
        Stage.ROOT + path + (random.nextInt(4) == 0 ? "?op_type=create&timeout=1ms" : ""),
        random.nextInt(4) == 0 ? "{}" : "");
  }
}
