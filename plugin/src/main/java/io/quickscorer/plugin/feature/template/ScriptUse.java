// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.template;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.memory.RequestLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaTypeRegistry;

/**
 * Checks whether queries run scripts, in all places where the server's own queries allow them. A
 * script is an object {@code script} with a {@code source} or {@code id}, or the short form of a
 * script query. A field with the name {@code script} is not a script.
 */
public final class ScriptUse {
  private static final String SCRIPT = "script";
  private static final String MINIMUM_SHOULD_MATCH = "minimum_should_match_script";
  private static final String WRAPPER = "wrapper";

  /**
   * Names of the objects that run the script in their field {@link #SCRIPT}: two queries, and the
   * filter of an interval.
   */
  private static final Set<String> QUERIES = Set.of(SCRIPT, "script_score", "filter");

  private static final Set<String> BODIES = Set.of("source", "id");

  /**
   * Matches a script in the text of a template that becomes valid JSON only with the parameters.
   */
  private static final Pattern IN_TEXT =
      Pattern.compile("\"(script|script_score|" + MINIMUM_SHOULD_MATCH + ")\"\\s*:");

  private ScriptUse() {}

  /** Returns whether a template's query can run a script with any parameters. */
  public static boolean in(QueryTemplate template) {
    Object query = template.toXContentValue();
    return query instanceof String text ? IN_TEXT.matcher(text).find() : inQuery(query);
  }

  private static boolean inQuery(Object query) {
    record Level(String key, @Nullable Object value) {}
    Deque<Level> open = new ArrayDeque<>();
    open.push(new Level("", query));
    while (!open.isEmpty()) {
      Level level = open.pop();
      if (level.value instanceof List<?> list) {
        list.forEach(item -> open.push(new Level("", item)));
      } else if (level.value instanceof Map<?, ?> map) {
        boolean here =
            map.containsKey(MINIMUM_SHOULD_MATCH)
                || (level.key.equals(SCRIPT) && BODIES.stream().anyMatch(map::containsKey))
                || (QUERIES.contains(level.key) && map.containsKey(SCRIPT));
        if (here) {
          return true;
        }
        if (level.key.equals(WRAPPER)) {
          byte[] hidden = hidden(map);
          open.push(new Level("", hidden == null ? null : read(hidden)));
        }
        map.forEach((key, value) -> open.push(new Level(String.valueOf(key), value)));
      }
    }
    return false;
  }

  /**
   * Returns the bytes of the query that a query of type {@code wrapper} contains in base64, or null
   * if they can't be decoded.
   */
  private static byte @Nullable [] hidden(Map<?, ?> wrapper) {
    try {
      Object query = wrapper.get("query");
      return query instanceof byte[] bytes ? bytes : decoded(String.valueOf(query));
    } catch (IOException | RuntimeException e) {
      // Either the server will refuse the query with a message, or the object is a field with this
      // name.
      return null;
    }
  }

  /** Parses a query of unknown content type; returns null if it is not a query. */
  private static @Nullable Object read(byte[] query) {
    for (XContentType type : XContentType.values()) {
      try {
        return Door.ownMap(type, new BytesArray(query));
      } catch (RuntimeException e) {
        // Tries the next content type.
        continue;
      }
    }
    return null;
  }

  /**
   * Returns the maximum depth of nested objects in a query, including the encoded queries inside
   * those of type {@code wrapper}.
   *
   * @param depth the depth of the query's text, without the queries inside those of type {@code
   *     wrapper}
   * @param max the search stops if the depth exceeds this
   */
  static int depth(String json, int depth, int max) {
    if (depth > max || !(json.contains(WRAPPER) || json.contains("\\u"))) {
      return depth;
    }
    record Level(@Nullable Object value, int outside) {}
    int deepest = depth;
    Deque<Level> open = new ArrayDeque<>();
    open.push(new Level(read(json.getBytes(StandardCharsets.UTF_8)), depth));
    while (!open.isEmpty() && deepest <= max) {
      Level level = open.pop();
      if (level.value instanceof List<?> list) {
        list.forEach(item -> open.push(new Level(item, level.outside)));
      } else if (level.value instanceof Map<?, ?> map) {
        map.values().forEach(value -> open.push(new Level(value, level.outside)));
        byte[] hidden = map.get(WRAPPER) instanceof Map<?, ?> wrapper ? hidden(wrapper) : null;
        if (hidden != null) {
          int inside = level.outside + Door.levels(new BytesArray(hidden));
          deepest = Math.max(deepest, inside);
          open.push(new Level(inside > max ? null : read(hidden), inside));
        }
      }
    }
    return deepest;
  }

  /** Decodes base64 with the server's own decoder, which accepts more than Java's. */
  private static byte[] decoded(String base64) throws IOException {
    BytesReference object =
        BoundedContent.json(
            BoundedContent.MAX_OWN, json -> json.startObject().field(WRAPPER, base64).endObject());
    List<byte[]> bytes = new ArrayList<>();
    return Door.own(
        MediaTypeRegistry.JSON,
        object,
        in -> {
          in.object(1, wrapper -> bytes.add(in.bytes()));
          return bytes.getFirst();
        });
  }

  /**
   * Checks that the node allows scripts.
   *
   * @throws IllegalArgumentException (400) if it does not
   */
  public static void check(RequestLimits limits) {
    if (!limits.get(RequestLimits.SCRIPTS)) {
      throw forbidden();
    }
  }

  /**
   * Returns the exception (400) for a feature with a script, if the node does not allow scripts.
   */
  public static IllegalArgumentException forbidden() {
    return new IllegalArgumentException(FORBIDDEN);
  }

  private static final String FORBIDDEN =
      "a script is used, which setting [" + RequestLimits.SCRIPTS.getKey() + "] forbids";
}
