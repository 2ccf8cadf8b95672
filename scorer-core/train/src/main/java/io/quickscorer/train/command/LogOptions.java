// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.LogOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The command-line options for the searches and features to log. */
final class LogOptions {
  private static final JsonMapper JSON = new JsonMapper();

  @Option(names = "--index", paramLabel = "INDEX", description = "The index to search.")
  private @Nullable String index;

  @Option(
      names = "--feature-set",
      paramLabel = "NAME",
      description = "The stored feature set whose values are logged.")
  private @Nullable String featureSet;

  @Option(
      names = "--query",
      paramLabel = "JSON|@FILE",
      description =
          "The first pass: a query in which {{keywords}} is replaced by the text of each judged"
              + " query.")
  private @Nullable String query;

  @Option(
      names = "--param",
      paramLabel = "NAME",
      description = "The parameter for the text of each judged query (default: ${DEFAULT-VALUE}).")
  private String param = "keywords";

  @Option(
      names = "--params",
      paramLabel = "JSON|@FILE",
      defaultValue = "{}",
      description =
          "Other parameters, with equal values for all queries. For a parameter of each query, use"
              + " a column params.NAME of the judgments.")
  private String params = "{}";

  @Option(
      names = "--size",
      paramLabel = "N",
      description = "Maximum number of hits per query (default: ${DEFAULT-VALUE}).")
  private int size = 100;

  /**
   * The hits on which a feature may depend, in addition to the scored hit: those of the same shard
   * or of all shards.
   */
  private enum Scope {
    SHARD,
    GLOBAL
  }

  @Option(
      names = "--scope",
      paramLabel = "NAME",
      defaultValue = "SHARD",
      description =
          "${COMPLETION-CANDIDATES}: the scope of the searches that will use the model; features"
              + " relative to the window need GLOBAL (default: ${DEFAULT-VALUE}).")
  private Scope scope = Scope.SHARD;

  /** Returns whether the command line contains any option for logging. */
  boolean isGiven() {
    return index != null || query != null;
  }

  String index() throws Failure {
    return required(index, "--index");
  }

  int size() {
    return size;
  }

  private JsonNode firstPass() throws Failure {
    JsonNode first = json(required(query, "--query"), "--query");
    return first.has("query") ? first.get("query") : first;
  }

  String featureSet() throws Failure {
    return required(featureSet, "--feature-set");
  }

  private static String required(@Nullable String value, String option) throws Failure {
    if (value == null) {
      throw Failure.usage("Missing required option: '" + option + "'");
    }
    return value;
  }

  /** Returns the body of a request to {@code _log}, without its queries. */
  ObjectNode body(String format) throws Failure {
    ObjectNode body = JSON.createObjectNode().put("index", index());
    body.put("format", format).put("size", size);
    body.set("query", firstPass());
    putScope(body);
    return body;
  }

  /** Adds the scope to a request body, unless the scope is the default. */
  private void putScope(ObjectNode to) {
    if (scope == Scope.GLOBAL) {
      to.put("scope", "global");
    }
  }

  /**
   * Returns the options and data that determine the logged rows. If they are equal when the command
   * runs again, it can continue the same file.
   */
  ObjectNode origin(JsonNode set, List<JudgedQuery> queries) throws Failure {
    ObjectNode origin = JSON.createObjectNode().put("index", index());
    origin.put("feature_set", featureSet()).put("size", size).put("param", param);
    putScope(origin);
    origin.set("query", firstPass());
    origin.set("params", sharedParams());
    origin.set("default_params", set.path("default_params"));
    origin.set(LogOrigin.FEATURES, set.get("features"));
    origin.set(LogOrigin.JUDGMENTS, LogOrigin.of(queries));
    return origin;
  }

  /** Returns the query parameters that the options define for all queries. */
  ObjectNode sharedParams() throws Failure {
    return (ObjectNode) json(params, "--params");
  }

  /**
   * Adds a query to a request body, and returns the JSON object that was added.
   *
   * @param asked the list of queries in the request body
   * @param shared the parameters that all queries share
   */
  ObjectNode ask(ArrayNode asked, JudgedQuery judged, ObjectNode shared) {
    ObjectNode one = asked.addObject();
    ObjectNode own = one.putObject("params").setAll(shared).asObject();
    judged.params().forEach((name, value) -> own.putPOJO(name, value));
    own.put(param, judged.text());
    one.set("labels", JSON.valueToTree(judged.labels()));
    return one;
  }

  private static JsonNode json(String value, String option) throws Failure {
    String text = value;
    if (value.startsWith("@")) {
      Path file = Path.of(value.substring(1));
      try {
        text = Files.readString(file);
      } catch (IOException e) {
        throw Failure.io(file, e);
      }
    }
    try {
      JsonNode node = JSON.readTree(text);
      if (node.isObject()) {
        return node;
      }
    } catch (JacksonException e) {
      throw Failure.usage(option + ": not JSON: " + e.getOriginalMessage());
    }
    throw Failure.usage(option + ": expected a JSON object");
  }
}
