package io.quickscorer.demo;

import io.quickscorer.demo.Evaluation.Ranking;
import io.quickscorer.demo.corpus.Corpus;
import io.quickscorer.demo.corpus.JudgedQuery;
import io.quickscorer.node.NodeClient;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the demo asks of its node, one method per request. */
final class DemoNode {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String API = "/_plugins/_quickscorer";

  private final NodeClient client;
  private final Corpus corpus;
  private final SearchBodies bodies;

  DemoNode(NodeClient client, Corpus corpus) {
    this.client = client;
    this.corpus = corpus;
    this.bodies = new SearchBodies(corpus);
  }

  void createIndex() {
    ObjectNode index = corpus.index().deepCopy();
    index
        .withObject("/settings")
        .put("index.number_of_shards", 1)
        .put("index.number_of_replicas", 0);
    client.put("/" + corpus.name(), index.toString());
  }

  void index(List<Corpus.Document> documents) {
    StringBuilder lines = new StringBuilder();
    for (Corpus.Document document : documents) {
      lines.append(
          JSON.createObjectNode().set("index", JSON.createObjectNode().put("_id", document.id())));
      lines.append('\n').append(document.source()).append('\n');
    }
    JsonNode answer = client.post("/" + corpus.name() + "/_bulk", lines.toString());
    if (answer.get("errors").asBoolean()) {
      throw new IllegalStateException("documents were refused: " + answer);
    }
  }

  void refresh() {
    client.post("/" + corpus.name() + "/_refresh", "");
  }

  /** Stores the feature set and returns its features' names in order. */
  List<String> putFeatureSet() {
    ObjectNode features = DemoFeatures.of(corpus.fields());
    client.put(API + "/feature_sets/" + SearchBodies.FEATURE_SET, features.toString());
    return features
        .get("features")
        .valueStream()
        .map(feature -> feature.get("name").asString())
        .toList();
  }

  FeatureRows.Hits logFeatures(JudgedQuery query) {
    return FeatureRows.read(query, search(bodies.logged(query)));
  }

  /**
   * Uploads the model with rows whose scores by LightGBM are known; the plugin refuses it if it
   * scores otherwise.
   */
  JsonNode putModel(LambdaMart.Trained model) {
    ObjectNode body = JSON.createObjectNode().put("model", model.text());
    ObjectNode parity = body.putObject("parity");
    ArrayNode rows = parity.putArray("rows");
    for (float[] values : model.sample()) {
      ArrayNode row = rows.addArray();
      IntStream.range(0, values.length)
          .forEach(
              i -> row.add(Float.isNaN(values[i]) ? JSON.nullNode() : JSON.valueToTree(values[i])));
    }
    ArrayNode expected = parity.putArray("expected");
    for (double score : model.expected()) {
      expected.add(score);
    }
    String path = API + "/models/" + SearchBodies.MODEL;
    return client.put(path + "?feature_set=" + SearchBodies.FEATURE_SET, body.toString());
  }

  Ranking plain(JudgedQuery query) {
    return Ranking.of(query, search(bodies.plain(query)));
  }

  Ranking tuned(JudgedQuery query) {
    return Ranking.of(query, search(bodies.tuned(query)));
  }

  Ranking rescored(JudgedQuery query) {
    return Ranking.of(query, search(bodies.rescored(query)));
  }

  private JsonNode search(ObjectNode body) {
    return client.post("/" + corpus.name() + "/_search", body.toString());
  }

  /** What the plugin has counted since the node started: the only node's part of the statistics. */
  JsonNode rescoreStats() {
    return client.get(API + "/stats").get("nodes").iterator().next().get("rescore");
  }
}
