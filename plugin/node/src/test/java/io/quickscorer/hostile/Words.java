// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.opensearch.common.xcontent.XContentType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Fields with values, of the scenarios and of the schemas of {@code openapi.yaml}, to put in the
 * place of others.
 */
final class Words {
  private static final JsonMapper JSON = new JsonMapper();

  /** Of every type, the most telling first. */
  static final List<String> VALUES =
      List.of(
          "[[null]]",
          "\"\"",
          "{}",
          "null",
          "true",
          "12345678901234567890123",
          "{\"\": {}}",
          "[]",
          "\"{{\\u0000\\ud83d\\ude00\"");

  /** As small as can be, for what they become in the heap. */
  static final List<String> TINY = List.of("{}", "[]", "0", "\"\"", "[0]", "{\"a\":0}");

  static final List<String> LINES = List.of("\n", "a\n", "{}\n", " ");

  static final List<String> EXTREMES =
      List.of(
          "2147483647", "-1", "0", "-2147483648", "9223372036854775807", "1e308", "1e-320", "0.5");

  static final List<String> TYPES =
      List.of("application/cbor", "application/smile", "application/yaml", "text/plain");

  private final List<Map.Entry<String, JsonNode>> fields = new ArrayList<>();

  Words(List<Scenario> scenarios) {
    scenarios.forEach(scenario -> scenario.requests().forEach(this::addAll));
    try {
      byte[] api = Files.readAllBytes(Path.of("../docs/openapi.yaml"));
      byte[] json = Body.converted(api, XContentType.YAML, XContentType.JSON);
      addSchemas(JSON.readTree(json).at("/components/schemas"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void addAll(JsonNode node) {
    for (Place place : Place.in(node)) {
      String name = place.path().isEmpty() ? "" : place.path().getLast();
      if (!name.isEmpty() && !name.equals(Place.TEXT)) {
        fields.add(Map.entry(name, place.node()));
      }
    }
  }

  private void addSchemas(JsonNode node) {
    node.path("properties")
        .properties()
        .forEach(
            field -> {
              JsonNode schema = field.getValue();
              for (String bound : List.of("default", "minimum", "maximum", "maxItems")) {
                if (schema.has(bound)) {
                  fields.add(Map.entry(field.getKey(), schema.get(bound)));
                }
              }
              schema.path("enum").forEach(value -> fields.add(Map.entry(field.getKey(), value)));
              fields.add(Map.entry(field.getKey(), JSON.readTree(example(schema))));
            });
    node.forEach(this::addSchemas);
  }

  private static String example(JsonNode schema) {
    return switch (schema.path("type").asString("object")) {
      case "integer", "number" -> "3";
      case "boolean" -> "true";
      case "string" -> "\"x\"";
      case "array" -> "[\"x\"]";
      default -> "{\"x\": 1}";
    };
  }

  Map.Entry<String, JsonNode> field(int which) {
    return fields.get(which % fields.size());
  }

  static <T> T pick(List<T> of, SplittableRandom random) {
    return of.get(random.nextInt(of.size()));
  }
}
