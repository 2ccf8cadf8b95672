// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.cli.input.DataFile;
import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.ClusterClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads records of User Behavior Insights (an index or lines of JSON), and tables of hits. */
final class Records {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Pattern CONTROLS = Pattern.compile("\\p{gc=Cc}+");
  private static final String KEEP_ALIVE = "5m";

  /** Maximum number of records in one response of the cluster. */
  private static final int BATCH = 5_000;

  /** Maximum valid number in a cell with a count. So sums of counts are exact. */
  private static final double MAX_COUNT = 1e9;

  private Records() {}

  /** Receives the lines of a file. */
  private interface Line {
    void accept(String line, long number) throws Failure;
  }

  /** The cells of a line by the name of their column; an empty cell is "". */
  record Row(Map<String, String> cells) {
    String text(String column) {
      return cells.getOrDefault(column, "");
    }

    /**
     * Returns the number in the cell of a column.
     *
     * @param missing the value of an empty cell
     * @return NaN if the cell is not a number from 0 to 1e9
     */
    double number(String column, double missing) {
      String text = text(column);
      if (text.isEmpty()) {
        return missing;
      }
      try {
        double number = Double.parseDouble(text);
        return number >= 0 && number <= MAX_COUNT ? number : Double.NaN;
      } catch (NumberFormatException e) {
        return Double.NaN;
      }
    }

    /** Returns the position of the hit, from 1; 0 if the cell is not a valid position. */
    int position() {
      double position = number("position", 0);
      return position >= 1 && position == Math.rint(position) ? (int) position : 0;
    }
  }

  /**
   * Reads a file with one record per line: the record itself, or a hit that contains the record as
   * {@code _source}, as in an export of an index. Skips action lines of {@code _bulk}.
   *
   * @throws Failure with the line, if it is not a JSON object
   */
  static void read(Path file, Consumer<JsonNode> records) throws Failure {
    lines(
        file,
        (line, number) -> {
          if (!line.isBlank()) {
            JsonNode record = parse(line, number);
            JsonNode source = record.path("_source");
            if (source.isObject()) {
              records.accept(source);
            } else if (record.size() != 1 || !(record.has("index") || record.has("create"))) {
              records.accept(record);
            }
          }
        });
  }

  /**
   * Reads a table of hits that were shown: a header with the names of the columns, then one line
   * per hit. Tabs or commas separate the cells.
   *
   * @param columns the required columns
   * @throws Failure if a line has another number of cells than the header, or if columns are
   *     missing; the message names the line or the columns
   */
  static void readTable(Path file, List<String> columns, Consumer<Row> rows) throws Failure {
    List<String> names = new ArrayList<>();
    String[] separator = {","};
    lines(
        file,
        (line, number) -> {
          if (names.isEmpty()) {
            separator[0] = line.indexOf('\t') >= 0 ? "\t" : ",";
            names.addAll(cells(line.toLowerCase(Locale.ROOT), separator[0]));
            if (!names.containsAll(columns)) {
              throw Failure.data(
                  1, "found a header with the columns " + names + ", expected " + columns);
            }
          } else if (!line.isBlank()) {
            List<String> cells = cells(line, separator[0]);
            if (cells.size() != names.size()) {
              throw Failure.data(number, cells.size() + " cells, expected " + names.size());
            }
            Map<String, String> row = new HashMap<>();
            IntStream.range(0, cells.size()).forEach(c -> row.put(names.get(c), cells.get(c)));
            rows.accept(new Row(row));
          }
        });
  }

  private static List<String> cells(String line, String separator) {
    return Arrays.stream(line.split(separator, -1)).map(String::strip).toList();
  }

  private static void lines(Path file, Line lines) throws Failure {
    try (BufferedReader reader = DataFile.textReader(file)) {
      long number = 0;
      String line;
      do {
        line = reader.readLine();
        number++;
        if (line != null || number == 1) {
          lines.accept(line == null ? "" : line, number);
        }
      } while (line != null);
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
