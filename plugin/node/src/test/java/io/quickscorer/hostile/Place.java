// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A value in a request.
 *
 * @param path names of fields, numbers of items, and {@link #TEXT} for the JSON that a string holds
 */
record Place(List<String> path, JsonNode node) {
  static final String TEXT = "!";

  /**
   * Values of one object or array that are places. Only requests that have grown have more, and
   * their values are alike.
   */
  private static final int MAX_VALUES = 1_000;

  private static final JsonMapper JSON = new JsonMapper();

  /** The number of the request that it is in, -1 for all of them. */
  int request() {
    return path.isEmpty() ? -1 : Integer.parseInt(path.getFirst());
  }

  /** Returns the value itself and those in it, of each object or array the first ones. */
  static List<Place> in(JsonNode root) {
    List<Place> all = new ArrayList<>();
    collect(List.of(), root, all);
    return all;
  }

  private static void collect(List<String> path, JsonNode node, List<Place> to) {
    to.add(new Place(path, node));
    if (node instanceof ObjectNode object) {
      object.properties().stream()
          .limit(MAX_VALUES)
          .forEach(field -> collect(joined(path, field.getKey()), field.getValue(), to));
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < Math.min(MAX_VALUES, array.size()); i++) {
        collect(joined(path, Integer.toString(i)), array.get(i), to);
      }
    } else {
      JsonNode held = held(node);
      if (held != null) {
        collect(joined(path, TEXT), held, to);
      }
    }
  }

  private static List<String> joined(List<String> path, String last) {
    List<String> joined = new ArrayList<>(path);
    joined.add(last);
    return List.copyOf(joined);
  }

  /** The object or array that a string holds, or null. */
  static @Nullable JsonNode held(JsonNode node) {
    if (!node.isString() || !node.asString().matches("(?s)\\s*[\\[{].*")) {
      return null;
    }
    try {
      JsonNode held = JSON.readTree(node.asString());
      return held.isContainer() ? held : null;
    } catch (JacksonException e) {
      return null; // A text that only begins so.
    }
  }
}
