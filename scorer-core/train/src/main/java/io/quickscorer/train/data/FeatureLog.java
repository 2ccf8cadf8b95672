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
import java.util.stream.Collectors;
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
 * @param lines the lines of the hits
 */
public record FeatureLog(List<String> names, JsonNode origin, List<FeatureLog.Line> lines) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String START = "{\"feature_names\":";

  /**
   * The line of a hit.
   *
   * @param text the whole line
   * @param values the values of the features; NaN for a missing value
   */
  public record Line(String text, String query, String id, float[] values) {
    /** Parses a line; throws IllegalArgumentException or JacksonException if it is not valid. */
    public static Line of(String text) {
      JsonNode row = JSON.readTree(text);
      JsonNode values = row.path("features");
      if (!row.path("qid").isValueNode()
          || !row.path("_id").isValueNode()
          || !values.isArray()
          || !values.valueStream().allMatch(value -> value.isNumber() || value.isNull())) {
        throw new IllegalArgumentException(
            "expected {\"qid\": ..., \"_id\": ..., \"features\": [numbers or nulls]}");
      }
      return new Line(
          text, row.get("qid").asString(), row.get("_id").asString(), FeatureRows.values(values));
    }
  }

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
    int number = 1;
    try (BufferedReader reader = DataFile.reader(file)) {
      List<String> texts = new ArrayList<>();
      String text;
      while ((text = reader.readLine()) != null) {
        texts.add(text);
      }
      if (!texts.isEmpty() && !isWhole(texts.getLast())) {
        texts.removeLast();
      }
      String first = texts.isEmpty() ? "" : texts.getFirst();
      JsonNode header = first.startsWith(START) ? JSON.readTree(first) : JSON.missingNode();
      List<String> names =
          header.path("feature_names").valueStream().map(JsonNode::asString).toList();
      if (names.isEmpty()) {
        throw new IllegalArgumentException("expected {\"feature_names\": [...]}");
      }
      List<Line> lines = new ArrayList<>();
      for (String line : texts.subList(1, texts.size())) {
        number++;
        Line hit = Line.of(line);
        if (hit.values.length != names.size()) {
          throw new IllegalArgumentException(
              "features: found " + hit.values.length + " values, expected " + names.size());
        }
        lines.add(hit);
      }
      return new FeatureLog(names, header.path("logged"), lines);
    } catch (IOException e) {
      throw Failure.io(file, e);
    } catch (JacksonException e) {
      throw Failure.data(number, "not JSON: " + e.getOriginalMessage()).in(file);
    } catch (IllegalArgumentException e) {
      throw Failure.data(number, String.valueOf(e.getMessage())).in(file);
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
    return lines.stream().map(Line::query).collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
