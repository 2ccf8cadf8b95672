// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.search;

import io.quickscorer.train.data.JudgedQuery;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates request bodies of the searches whose hits were logged. A method returns null if the query
 * has template tags that only the plugin's {@code _log} endpoint can replace.
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

  /**
   * Returns the body of a search without a model; null if the query has tags that cannot be
   * replaced.
   */
  public @Nullable ObjectNode plain(JudgedQuery query) {
    JsonNode first = firstPass(query);
    if (first == null) {
      return null;
    }
    ObjectNode body = JSON.createObjectNode().put("size", SHOWN).put("_source", false);
    body.set("query", first);
    return body;
  }

  /**
   * Returns the body of a search with a model that rescores the first hits; null if the query has
   * tags that cannot be replaced: tags without a value, or of an unknown form.
   *
   * @param window number of hits that the model rescores
   */
  public @Nullable ObjectNode rescored(JudgedQuery query, String model, int window) {
    ObjectNode body = plain(query);
    return body == null ? null : rescored(body, query, model, window);
  }

  /** Returns the maximum number of hits that were logged for each query. */
  public int window() {
    return logged.get("size").asInt();
  }

  /**
   * Returns the body of a search in which a model ranks only the hits in {@code ids}; null if the
   * query has tags that cannot be replaced: tags without a value, or of an unknown form.
   */
  public @Nullable ObjectNode ranked(JudgedQuery query, List<String> ids, String model) {
    JsonNode first = firstPass(query);
    if (first == null) {
      return null;
    }
    ObjectNode body = JSON.createObjectNode().put("size", ids.size()).put("_source", false);
    ObjectNode both = body.putObject("query").putObject("bool");
    both.set("must", first);
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

  private @Nullable JsonNode firstPass(JudgedQuery query) {
    ObjectNode all = JSON.createObjectNode();
    logged.path("default_params").properties().forEach(p -> all.set(p.getKey(), p.getValue()));
    all.setAll(params(query));
    JsonNode first = logged.get("query");
    String filled =
        QueryTags.fill(
            first.isString() ? first.asString() : first.toString(), JSON.readTree(all.toString()));
    return filled == null ? null : JSON.readTree(filled);
  }
}
