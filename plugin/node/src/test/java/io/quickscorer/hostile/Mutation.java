// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Changes a JSON text at random places, mostly so that it is still JSON. */
final class Mutation {
  private static final JsonMapper JSON = new JsonMapper();

  /** What is put in the place of a value, as text. */
  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "0",
          "-1",
          "1",
          "2147483648",
          "-9223372036854775808",
          "1e308",
          "1e-320",
          "0.1",
          "12345678901234567890123",
          "\"\"",
          "\"0\"",
          "\"NaN\"",
          "\"-Infinity\"",
          "\" \"",
          "\"*\"",
          "\"_all\"",
          "\"docs\"",
          "\"small\"",
          "\"mixed\"",
          "\"{{x}}\"",
          "\"{{#x}}{{/x}}\"",
          "\"{{\"",
          "\"%n%s\"",
          "\"../x\"",
          "\"\\u0000\\u0001\\u2028\"",
          "\"\\ud83d\\ude00\"",
          "[]",
          "{}",
          "[null]",
          "[[]]",
          "{\"\": {}}",
          "{\"match_all\": {}}",
          "{\"query_string\": {\"query\": \"((((a\"}}",
          "{\"script_score\": {\"query\": {\"match_all\": {}}, \"script\": \"1/0\"}}");

  private final SplittableRandom random;

  Mutation(SplittableRandom random) {
    this.random = random;
  }

  private <T> T pick(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  String of(String text) {
    if (text.isEmpty() || random.nextInt(12) == 0) {
      return broken(text);
    }
    JsonNode root = JSON.readTree(text);
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      change(root);
    }
    return root.toString();
  }

  /** No longer JSON, as a rule. */
  private String broken(String text) {
    int at = text.isEmpty() ? 0 : random.nextInt(text.length());
    return switch (random.nextInt(4)) {
      case 0 -> text.substring(0, at);
      case 1 -> text.substring(0, at) + (char) (' ' + random.nextInt(96)) + text.substring(at);
      case 2 -> text + text;
      default -> pick(VALUES);
    };
  }

  private void change(JsonNode root) {
    List<JsonNode> containers = new ArrayList<>();
    collect(root, containers);
    JsonNode in = pick(containers);
    if (in instanceof ObjectNode object) {
      change(object);
    } else if (in instanceof ArrayNode array) {
      change(array);
    }
  }

  private static void collect(JsonNode node, List<JsonNode> to) {
    if (node.isContainer()) {
      to.add(node);
      node.valueStream().forEach(inner -> collect(inner, to));
    }
  }

  private void change(ObjectNode object) {
    List<String> names = List.copyOf(object.propertyNames());
    if (names.isEmpty()) {
      object.set("x", value());
      return;
    }
    String name = pick(names);
    switch (random.nextInt(6)) {
      case 0 -> object.remove(name);
      case 1 -> object.set(name + "x", object.remove(name));
      case 2 -> object.set("unknown", value());
      case 3 -> object.set(name, deep(object.get(name)));
      default -> object.set(name, value());
    }
  }

  private void change(ArrayNode array) {
    if (array.isEmpty()) {
      array.add(value());
      return;
    }
    int at = random.nextInt(array.size());
    switch (random.nextInt(5)) {
      case 0 -> array.remove(at);
      case 1 -> {
        JsonNode again = array.get(at);
        for (int i = random.nextInt(300); i >= 0; i--) {
          array.add(again);
        }
      }
      case 2 -> array.set(at, deep(array.get(at)));
      default -> array.set(at, value());
    }
  }

  private JsonNode value() {
    if (random.nextInt(15) == 0) {
      return JSON.valueToTree("long".repeat(1 << random.nextInt(16)));
    }
    return JSON.readTree(pick(VALUES));
  }

  /** The value inside arrays or objects. */
  private JsonNode deep(JsonNode value) {
    JsonNode deep = value;
    boolean array = random.nextBoolean();
    for (int depth = 1 << random.nextInt(8); depth > 0; depth--) {
      deep = array ? JSON.createArrayNode().add(deep) : JSON.valueToTree(Map.of("bool", deep));
    }
    return deep;
  }
}
