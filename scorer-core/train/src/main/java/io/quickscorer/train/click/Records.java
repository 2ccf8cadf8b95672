// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.cli.input.DataFile;
import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.ClusterClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the records of User Behavior Insights from an index, or from lines of JSON. */
final class Records {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Pattern CONTROLS = Pattern.compile("\\p{gc=Cc}+");
  private static final String KEEP_ALIVE = "5m";

  /** Maximum number of records in one response of the cluster. */
  private static final int BATCH = 5_000;

  private Records() {}

  /**
   * Reads a file with one record per line: the record itself, or a hit that contains the record as
   * {@code _source}, as in an export of an index. Skips action lines of {@code _bulk}.
   *
   * @throws Failure with the line, if it is not a JSON object
   */
  static void read(Path file, Consumer<JsonNode> records) throws Failure {
    try (BufferedReader reader = DataFile.textReader(file)) {
      long number = 0;
      String line;
      while ((line = reader.readLine()) != null) {
        number++;
        if (!line.isBlank()) {
          JsonNode record = parse(line, number);
          JsonNode source = record.path("_source");
          boolean bulk = record.size() == 1 && (record.has("index") || record.has("create"));
          if (!bulk) {
            records.accept(source.isObject() ? source : record);
          }
        }
      }
    } catch (IOException e) {
      throw Failure.io(file, e);
    } catch (Failure e) {
      throw e.in(file);
    }
  }

  private static JsonNode parse(String line, long number) throws Failure {
    try {
      JsonNode record = JSON.readTree(line);
      if (record.isObject()) {
        return record;
      }
    } catch (JacksonException e) {
      throw Failure.data(number, "not JSON: " + e.getOriginalMessage());
    }
    throw Failure.data(number, "expected a JSON object");
  }

  /**
   * Reads the records that an index contains at the time of the call.
   *
   * @param filters query clauses that records must match
   * @throws IllegalStateException if the cluster refuses a request, or some shards fail
   * @throws java.io.UncheckedIOException if the cluster does not respond
   */
  static void read(
      ClusterClient client, String index, ArrayNode filters, Consumer<JsonNode> records) {
    ObjectNode body = JSON.createObjectNode().put("size", BATCH);
    body.putArray("sort").add("_doc");
    body.putObject("query").putObject("bool").set("filter", filters);
    String path = "/" + ClusterClient.encoded(index) + "/_search?scroll=" + KEEP_ALIVE;
    JsonNode answer = whole(index, client.post(path, body.toString()));
    while (!answer.at("/hits/hits").isEmpty()) {
      answer.at("/hits/hits").forEach(hit -> records.accept(hit.path("_source")));
      ObjectNode next = scroll(answer).put("scroll", KEEP_ALIVE);
      answer = whole(index, client.post("/_search/scroll", next.toString()));
    }
    // If this request fails, the cluster ends the scroll after its keep-alive time.
    client.send("DELETE", "/_search/scroll", scroll(answer).toString());
  }

  /**
   * Checks that no shard failed, and returns the response. A response without hits can also report
   * failed shards.
   */
  private static JsonNode whole(String index, JsonNode answer) {
    if (answer.at("/_shards/failed").asInt(0) > 0) {
      throw new IllegalStateException(
          "index [" + index + "]: some shards did not respond; try again");
    }
    return answer;
  }

  private static ObjectNode scroll(JsonNode answer) {
    return JSON.createObjectNode().set("scroll_id", answer.path("_scroll_id"));
  }

  /**
   * Returns the value at a path in a record. The fields of the path may be nested objects, or one
   * field whose name contains dots.
   */
  static JsonNode at(JsonNode record, String... path) {
    JsonNode value = record.path(String.join(".", path));
    if (value.isMissingNode()) {
      value = record;
      for (String name : path) {
        value = value.path(name);
      }
    }
    return value;
  }

  /**
   * Returns a value as text without blanks at its ends; "" if there is no value. Replaces tabs and
   * line breaks by blanks, because ids and names are written to tables.
   */
  static String text(JsonNode value) {
    return value.isValueNode() && !value.isNull()
        ? CONTROLS.matcher(value.asString()).replaceAll(" ").strip()
        : "";
  }
}
