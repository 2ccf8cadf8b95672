package io.quickscorer.demo;

import io.quickscorer.node.NodeClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The plugin's own requests, as a user's program would send them. */
public final class QuickScorerApi {
  private static final String ROOT = "/_plugins/_quickscorer";
  private static final JsonMapper JSON = new JsonMapper();

  private final NodeClient client;

  public QuickScorerApi(NodeClient client) {
    this.client = client;
  }

  public JsonNode putFeatureSet(String name, ObjectNode body) {
    return client.put(ROOT + "/feature_sets/" + name, body.toString());
  }

  /**
   * Uploads a model with rows whose scores by its trainer are known; the plugin refuses it if it
   * scores otherwise.
   */
  public JsonNode putModel(String name, String featureSet, LambdaMart.Trained model) {
    ObjectNode body =
        JSON.createObjectNode().put("model", model.text()).put("feature_set", featureSet);
    ObjectNode parity = body.putObject("parity");
    ArrayNode rows = parity.putArray("rows");
    model.sample().forEach(values -> addRow(rows.addArray(), values));
    ArrayNode expected = parity.putArray("expected");
    for (double score : model.expected()) {
      expected.add(score);
    }
    return client.put(ROOT + "/models/" + name, body.toString());
  }

  private static void addRow(ArrayNode row, float[] values) {
    for (float value : values) {
      if (Float.isNaN(value)) {
        row.addNull();
      } else {
        row.add(value);
      }
    }
  }

  /** What a cluster's only node has counted since it started. */
  public JsonNode stats() {
    return client.get(ROOT + "/stats").get("nodes").iterator().next();
  }
}
