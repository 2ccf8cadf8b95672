// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.search;

import io.quickscorer.train.data.JudgedQuery;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates request bodies of the searches whose hits were logged. A method throws an
 * IllegalStateException if the query has template tags that only the plugin's {@code _log} endpoint
 * can replace: tags without a value, or of an unknown form.
 *
 * @param logged the object {@code logged} in the header of a feature log
 */
public record LoggedSearch(JsonNode logged) {
  private static final JsonMapper JSON = new JsonMapper();

  /** Number of hits that a timed search returns to the client. */
  private static final int SHOWN = 10;

  /** Returns the index whose hits were logged. */
  public String index() {
    return logged.get("index").asString();
  }

  /** Returns the body of a search without a model. */
  public ObjectNode plain(JudgedQuery query) {
    ObjectNode body = JSON.createObjectNode().put("size", SHOWN).put("_source", false);
    body.set("query", firstPass(query));
    return body;
  }

  /**
   * Returns the body of a search with a model that rescores the first hits.
   *
   * @param window number of hits that the model rescores
   */
  public ObjectNode rescored(JudgedQuery query, String model, int window) {
    return rescored(plain(query), query, model, window);
  }

  /** Returns the maximum number of hits that were logged for each query. */
  public int window() {
    return logged.get("size").asInt();
  }

  /** Returns the body of a search in which a model ranks only the hits in {@code ids}. */
  public ObjectNode ranked(JudgedQuery query, List<String> ids, String model) {
    ObjectNode body = JSON.createObjectNode().put("size", ids.size()).put("_source", false);
    ObjectNode both = body.putObject("query").putObject("bool");
    both.set("must", firstPass(query));
    ArrayNode values = both.putObject("filter").putObject("ids").putArray("values");
    ids.forEach(values::add);
    return rescored(body, query, model, ids.size());
  }

  private ObjectNode rescored(ObjectNode body, JudgedQuery query, String model, int window) {
    ObjectNode rescore = body.putObject("rescore").put("window_size", window);
    ObjectNode clause = rescore.putObject("quickscorer").put("model", model);
    clause.set("params", params(query));
    if (logged.has("scope")) {
      clause.set("scope", logged.get("scope"));
    }
    return body;
  }

  private ObjectNode params(JudgedQuery query) {
    ObjectNode params = JSON.createObjectNode();
    logged.path("params").properties().forEach(p -> params.set(p.getKey(), p.getValue()));
    query.params().forEach(params::putPOJO);
    return params.put(logged.get("param").asString(), query.text());
  }

  private JsonNode firstPass(JudgedQuery query) {
    ObjectNode all = JSON.createObjectNode();
    logged.path("default_params").properties().forEach(p -> all.set(p.getKey(), p.getValue()));
    all.setAll(params(query));
    JsonNode first = logged.get("query");
    String filled =
        QueryTags.fill(
            first.isString() ? first.asString() : first.toString(), JSON.readTree(all.toString()));
    return JSON.readTree(filled);
  }
}
