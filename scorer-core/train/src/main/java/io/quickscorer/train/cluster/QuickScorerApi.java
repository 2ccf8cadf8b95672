// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.cluster;

import static io.quickscorer.train.cluster.ClusterClient.encoded;

import io.quickscorer.train.trainer.TrainedModel;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A client of the plugin's REST API. */
public record QuickScorerApi(ClusterClient client) {
  private static final String ROOT = "/_plugins/_quickscorer";
  private static final JsonMapper JSON = new JsonMapper();

  public JsonNode putFeatureSet(String name, ObjectNode body) {
    return client.put(ROOT + "/feature_sets/" + encoded(name), body.toString());
  }

  /**
   * Logs feature values as {@code ndjson} (one JSON object per line). Returns the lines without the
   * header.
   */
  public List<String> log(String featureSet, ObjectNode request) {
    List<String> lines = log(featureSet, request, 1);
    return lines.subList(1, lines.size());
  }

  /**
   * Logs feature values. If the plugin divides the rows among several responses, joins the
   * responses.
   *
   * @param headerLines number of header lines of each response
   * @return the header lines of the first response, then all rows
   */
  public List<String> log(String featureSet, ObjectNode request, int headerLines) {
    List<String> lines = new ArrayList<>();
    @Nullable String from = "0";
    while (from != null) {
      String path = ROOT + "/feature_sets/" + encoded(featureSet) + "/_log?from=" + from;
      HttpResponse<String> piece =
          client.exchange("POST", path, "application/json", request.toString());
      if (piece.statusCode() != 200) {
        throw ClusterClient.failure("POST", path, piece.statusCode(), piece.body());
      }
      piece.body().lines().skip(lines.isEmpty() ? 0 : headerLines).forEach(lines::add);
      from = piece.headers().firstValue("X-Quickscorer-Next").orElse(null);
    }
    return lines;
  }

  /** Returns a feature set, with its {@code features} and {@code default_params}. */
  public JsonNode featureSet(String name) {
    return client.get(ROOT + "/feature_sets/" + encoded(name));
  }

  /** Returns a model by its name or an alias; null if there is none. */
  public @Nullable JsonNode model(String name) {
    String path = ROOT + "/models/" + encoded(name);
    ClusterClient.Answer answer = client.send("GET", path, "");
    return answer.status() == 404 ? null : client.checked("GET", path, answer);
  }

  /** Returns the aliases of a model, including aliases that also point to other models. */
  public List<String> aliases(String model) {
    List<String> aliases = new ArrayList<>();
    for (JsonNode alias : client.get(ROOT + "/aliases").path("aliases")) {
      if (alias.path("models").has(model) || alias.path("model").asString("").equals(model)) {
        aliases.add(alias.get("name").asString());
      }
    }
    return aliases;
  }

  /** Points an alias to a model, and returns the response. */
  public JsonNode putAlias(String alias, String model) {
    return client.put(
        ROOT + "/aliases/" + encoded(alias),
        JSON.createObjectNode().put("model", model).toString());
  }

  /**
   * Uploads a model with sample rows and their scores by the trainer. The plugin compares its own
   * scores of the rows with the trainer's.
   */
  public JsonNode putModel(String name, String featureSet, TrainedModel model) {
    return putModel(name, envelope(featureSet, model));
  }

  /** Uploads a model with the given request body, and returns the response. */
  public JsonNode putModel(String name, ObjectNode body) {
    return client.put(ROOT + "/models/" + encoded(name), body.toString());
  }

  /** Deletes a model; does nothing if it does not exist. */
  public void deleteModel(String name) {
    client.send("DELETE", ROOT + "/models/" + encoded(name), "");
  }

  /** Returns the uploaded file of a model as JSON; a {@code MissingNode} if it is not JSON. */
  public JsonNode file(String name) {
    String path = ROOT + "/models/" + encoded(name) + "/_file";
    ClusterClient.Answer file = client.send("GET", path, "");
    return file.isError() ? client.checked("GET", path, file) : file.body();
  }

  /**
   * Returns the request body of an upload: the model's file and its parity block (sample rows and
   * their scores by the trainer).
   */
  public static ObjectNode envelope(String featureSet, TrainedModel model) {
    ObjectNode body =
        JSON.createObjectNode().put("model_base64", model.file()).put("feature_set", featureSet);
    body.set("parity", parity(model));
    return body;
  }

  /** Returns the parity block of a model: sample rows and their scores by the trainer. */
  public static ObjectNode parity(TrainedModel model) {
    ObjectNode parity = JSON.createObjectNode().put("tolerance_ulp", model.toleranceUlp());
    ArrayNode rows = parity.putArray("rows");
    model.sample().forEach(values -> addRow(rows.addArray(), values));
    ArrayNode expected = parity.putArray("expected");
    for (double score : model.expected()) {
      expected.add(score);
    }
    return parity;
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

  /** Returns the counters and times of rescoring since the nodes started, summed over all nodes. */
  public JsonNode rescoring() {
    ObjectNode sum = JSON.createObjectNode();
    ObjectNode times = sum.putObject("time_in_nanos");
    for (JsonNode node : client.get(ROOT + "/stats").get("nodes")) {
      for (String count : List.of("windows", "documents")) {
        sum.put(count, sum.path(count).asLong(0) + node.at("/rescore/" + count).asLong());
      }
      for (Map.Entry<String, JsonNode> time : node.at("/rescore/time_in_nanos").properties()) {
        times.put(time.getKey(), times.path(time.getKey()).asLong(0) + time.getValue().asLong());
      }
    }
    return sum;
  }
}
