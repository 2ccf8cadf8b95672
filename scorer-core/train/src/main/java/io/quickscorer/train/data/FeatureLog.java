// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import io.quickscorer.cli.input.DataFile;
import io.quickscorer.cli.input.Failure;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A file of logged feature values: a line {@code {"feature_names": […], "logged": {…}}}, then a
 * JSON object for each hit. The hits of a query are in the order of the search without a model.
 *
 * @param names the names of the features
 * @param origin the options that determined the rows, as in {@link LogOrigin}; may be missing
 * @param lines the lines of the hits, as text
 */
public record FeatureLog(List<String> names, JsonNode origin, List<String> lines) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String START = "{\"feature_names\":";

  /**
   * Returns false if the file is empty or contains only a part of a log's first line, because the
   * program was stopped. The file can then be overwritten. Otherwise, returns true.
   */
  public static boolean isBegun(Path file) throws Failure {
    StringBuilder line = new StringBuilder();
    try (BufferedReader reader = DataFile.reader(file)) {
      int character;
      while ((character = reader.read()) >= 0) {
        if (character == '\n') {
          return true;
        }
        line.append((char) character);
      }
    } catch (IOException e) {
      throw Failure.io(file, e);
    }
    String first = line.toString();
    return !first.startsWith(START) && !START.startsWith(first);
  }

  /** Reads a feature log. Skips an incomplete last line, which a stopped program can leave. */
  public static FeatureLog read(Path file) throws Failure {
    try (BufferedReader reader = DataFile.reader(file)) {
      List<String> lines = new ArrayList<>();
      String line;
      while ((line = reader.readLine()) != null) {
        lines.add(line);
      }
      if (!lines.isEmpty() && !isWhole(lines.getLast())) {
        lines.removeLast();
      }
      if (lines.isEmpty() || !lines.getFirst().startsWith(START)) {
        throw Failure.data(1, "expected {\"feature_names\": [...]}").in(file);
      }
      JsonNode header = JSON.readTree(lines.removeFirst());
      return new FeatureLog(
          header.get("feature_names").valueStream().map(JsonNode::asString).toList(),
          header.path("logged"),
          lines);
    } catch (IOException e) {
      throw Failure.io(file, e);
    } catch (JacksonException e) {
      throw Failure.data(1, "not JSON: " + e.getOriginalMessage()).in(file);
    }
  }

  private static boolean isWhole(String line) {
    try {
      return JSON.readTree(line).isObject();
    } catch (JacksonException e) {
      return false;
    }
  }

  /** Returns the first line of a feature log: the names of the features, and the options. */
  public static String header(List<String> names, JsonNode origin) {
    ObjectNode header = JSON.createObjectNode();
    header.set("feature_names", JSON.valueToTree(names));
    header.set("logged", origin);
    return header.toString();
  }

  /** Returns the ids of the queries that have rows, in the order in which they are in the file. */
  public Set<String> queries() {
    Set<String> ids = new LinkedHashSet<>();
    lines.forEach(line -> ids.add(JSON.readTree(line).get("qid").asString()));
    return ids;
  }
}
