// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import io.quickscorer.demo.corpus.Corpus;
import io.quickscorer.node.NodeClient;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.tuning.FirstPass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Creates and sends the benchmarks' requests to a node. Safe for use by several threads. */
record MeasuredNode(
    NodeClient client, Corpus corpus, String index, List<MeasuredFeatures.Feature> features) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String PLUGIN = "/_plugins/_quickscorer";
  private static final int BULK = 1_000;

  boolean hasIndex() {
    return !client.send("HEAD", "/" + index, "").isError();
  }

  /** Creates the index. Its segments are not merged automatically. */
  void createIndex(int shards) {
    ObjectNode body = corpus.index().deepCopy();
    body.withObject("/settings")
        .put("index.number_of_shards", shards)
        .put("index.number_of_replicas", 0)
        .put("index.merge.policy.segments_per_tier", 100)
        .put("index.refresh_interval", "-1");
    client.put("/" + index, body.toString());
  }

  void addSegment(List<Corpus.Document> documents) {
    for (int from = 0; from < documents.size(); from += BULK) {
      int end = Math.min(from + BULK, documents.size());
      Corpus.index(client, index, documents.subList(from, end));
    }
    client.post("/" + index + "/_refresh", "");
  }

  /**
   * Indexes copies of the corpus into segments of similar size.
   *
   * @param copies the number of copies
   * @param segments the number of segments
   */
  void addSegments(int copies, int segments) {
    CopiedCorpus copied = new CopiedCorpus(corpus);
    List<Corpus.Document> documents = new ArrayList<>();
    int total = copies * corpus.documents().size();
    int segment = 0;
    for (int copy = 0; copy < copies; copy++) {
      documents.addAll(copied.copy(copy));
      int done = (copy + 1) * corpus.documents().size();
      while (segment < segments && (long) done * segments >= (long) (segment + 1) * total) {
        int size =
            (int) ((long) (segment + 1) * total / segments - (long) segment * total / segments);
        addSegment(documents.subList(0, size));
        documents.subList(0, size).clear();
        segment++;
      }
    }
  }

  /** Clones this index, including its segments, to the index of {@code other}. */
  void cloneTo(MeasuredNode other) {
    String copy = other.index;
    client.put("/" + index + "/_settings", "{\"index.blocks.write\": true}");
    client.post(
        "/" + index + "/_clone/" + copy,
        "{\"settings\": {\"index.blocks.write\": null, \"index.number_of_replicas\": 0}}");
    client.get("/_cluster/health/" + copy + "?wait_for_status=green&timeout=60s");
  }

  /** Merges the segments of each shard until there are at most {@code segments} per shard. */
  void merge(int segments) {
    client.post("/" + index + "/_forcemerge?max_num_segments=" + segments, "");
    client.post("/" + index + "/_refresh", "");
  }

  int segments() {
    return client
        .get("/" + index + "/_stats/segments")
        .at("/_all/primaries/segments/count")
        .asInt();
  }

  /**
   * Uploads a feature set with some kinds of features, and a linear model with the same name.
   *
   * @param kinds returns whether a kind of features is included
   */
  void putModel(String name, Predicate<MeasuredFeatures.Kind> kinds) {
    putFeatureSet(name, kinds);
    ObjectNode weights = JSON.createObjectNode();
    features.stream()
        .filter(feature -> kinds.test(feature.kind()))
        .forEach(feature -> weights.put(feature.name(), 1));
    client.put(
        PLUGIN + "/models/" + name + "?format=linear_json&feature_set=" + name, weights.toString());
  }

  void putModel(String name, String set, String file) {
    client.put(PLUGIN + "/models/" + name + "?timeout=120s&feature_set=" + set, file);
  }

  /**
   * Returns the feature values of the hits of some queries; NaN for a missing value.
   *
   * @param texts the queries
   * @param window the number of hits per query
   * @param set the name of the feature set
   */
  List<float[]> values(List<String> texts, int window, String set) {
    List<float[]> rows = new ArrayList<>();
    for (String text : texts) {
      JsonNode response = search(rescored(text, window, window, "feature_set", set));
      rows.addAll(FeatureRows.read(JudgedQuery.of(text, text, Map.of()), response).values());
    }
    return rows;
  }

  /** Sets the maximum number of threads that rank the hits of one search on a shard. */
  void setMaxThreads(int threads) {
    client.put(
        "/_cluster/settings",
        "{\"persistent\": {\"quickscorer.search.max_threads\": " + threads + "}}");
  }

  void putFeatureSet(String name, Predicate<MeasuredFeatures.Kind> kinds) {
    client.put(PLUGIN + "/feature_sets/" + name, MeasuredFeatures.set(features, kinds));
  }

  JsonNode search(ObjectNode body) {
    return client.post("/" + index + "/_search?request_cache=false", body.toString());
  }

  /** Returns the body of a search without rescoring: a weighted match query on all text fields. */
  ObjectNode firstPass(String text, int size) {
    return FirstPass.PLAIN.search(corpus.fields().text(), text, size);
  }

  /** Returns the body of a search that collects the hits to rescore but keeps their scores. */
  ObjectNode idle(String text, int window) {
    return rescoreQuery(text, window, "{\"match_none\": {}}");
  }

  /** Returns a search with OpenSearch's own rescorer, with one query clause per feature. */
  ObjectNode clauses(String text, int window) {
    List<String> queries = features.stream().map(feature -> query(feature, text)).toList();
    return rescoreQuery(text, window, "{\"bool\": {\"should\": " + queries + "}}");
  }

  private ObjectNode rescoreQuery(String text, int window, String query) {
    ObjectNode body = firstPass(text, 10);
    ObjectNode rescore = body.putObject("rescore").put("window_size", window);
    rescore.putObject("query").set("rescore_query", JSON.readTree(query));
    return body;
  }

  private static String query(MeasuredFeatures.Feature feature, String text) {
    String json = JSON.writeValueAsString(text);
    return feature.query().replace("{{keywords}}", json.substring(1, json.length() - 1));
  }

  /**
   * Returns the body of a search. A model ranks the first {@code window} hits of this search.
   *
   * @param window number of hits to rank
   */
  ObjectNode extracted(String text, int window, String model) {
    return rescored(text, window, 10, "model", model);
  }

  /**
   * Returns the body of a search in which a first model ranks hits, and a second model ranks the
   * best {@code keep} hits of the first model again.
   *
   * @param window number of hits that the first model ranks
   * @param cheap the name of the first model
   */
  ObjectNode staged(String text, int window, String cheap, int keep, String model) {
    ObjectNode body = extracted(text, window, model);
    ObjectNode clause = body.withObject("/rescore/quickscorer");
    clause.remove("model");
    ArrayNode stages = clause.putArray("stages");
    stages.addObject().put("model", cheap).put("keep", keep);
    stages.addObject().put("model", model);
    return body;
  }

  /** Returns the body of a search in which a model ranks the best hits of all shards together. */
  ObjectNode global(String text, int window, String model) {
    ObjectNode body = extracted(text, window, model);
    body.withObject("/rescore/quickscorer").put("scope", "global");
    return body;
  }

  private ObjectNode rescored(String text, int window, int size, String what, String name) {
    ObjectNode body = firstPass(text, size);
    ObjectNode rescore = body.putObject("rescore").put("window_size", window);
    ObjectNode clause = rescore.putObject("quickscorer").put(what, name);
    clause.putObject("params").put("keywords", text);
    return body;
  }

  /**
   * Compares the logged feature values of hits with the scores of separate searches for each
   * feature.
   *
   * @return the number of compared values
   * @throws IllegalStateException with the first feature and document that differ
   */
  int compare(String text, int window, String set) {
    JsonNode logged = search(rescored(text, window, window, "feature_set", set)).at("/hits/hits");
    List<String> ids = new ArrayList<>();
    logged.forEach(hit -> ids.add(hit.get("_id").asString()));
    int compared = 0;
    for (int f = 0; f < features.size(); f++) {
      ObjectNode plain = JSON.createObjectNode().put("size", ids.size()).put("_source", false);
      ObjectNode bool = plain.putObject("query").putObject("bool");
      bool.set("must", JSON.readTree(query(features.get(f), text)));
      bool.putObject("filter").putObject("ids").set("values", JSON.valueToTree(ids));
      ObjectNode scores = JSON.createObjectNode();
      search(plain)
          .at("/hits/hits")
          .forEach(hit -> scores.set(hit.get("_id").asString(), hit.get("_score")));
      for (JsonNode hit : logged) {
        JsonNode value = hit.at("/fields/_quickscorer/0/features").get(f);
        JsonNode score = scores.path(hit.get("_id").asString());
        boolean same =
            value.isNull() ? score.isMissingNode() : value.floatValue() == score.floatValue();
        if (!same) {
          throw new IllegalStateException(
              features.get(f).name()
                  + " of document "
                  + hit.get("_id")
                  + ": the logged value is "
                  + value
                  + ", but a search returned score "
                  + score);
        }
        compared++;
      }
    }
    return compared;
  }
}
