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
 * Finds out whether queries run scripts, in any place where the server's own queries can have one.
 * A script is an object with its {@code source} or {@code id} under {@code script}, or the query's
 * own form of a script query. A field that has the name {@code script} is not a script.
 */
public final class ScriptUse {
  private static final String SCRIPT = "script";
  private static final String MINIMUM_SHOULD_MATCH = "minimum_should_match_script";
  private static final String WRAPPER = "wrapper";

  /** Queries, and the filter of an interval, that are made of a script. */
  private static final Set<String> QUERIES = Set.of(SCRIPT, "script_score", "filter");

  private static final Set<String> BODIES = Set.of("source", "id");

  /** In a text that is JSON only once parameters are put in. */
  private static final Pattern IN_TEXT =
      Pattern.compile("\"(script|script_score|" + MINIMUM_SHOULD_MATCH + ")\"\\s*:");

  private ScriptUse() {}

  /** Returns whether a template's query runs a script, regardless of the parameters. */
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

  /** Returns the encoded query in a query of kind {@code wrapper}; null if there is none. */
  private static byte @Nullable [] hidden(Map<?, ?> wrapper) {
    try {
      Object query = wrapper.get("query");
      return query instanceof byte[] bytes ? bytes : decoded(String.valueOf(query));
    } catch (IOException | RuntimeException e) {
      // The server says what is wrong with it, or it is a field's text.
      return null;
    }
  }

  /** Parses a query of any encoding; returns null if it is not a query. */
  private static @Nullable Object read(byte[] query) {
    for (XContentType type : XContentType.values()) {
      try {
        return Door.ownMap(type, new BytesArray(query));
      } catch (RuntimeException e) {
        // Of another type.
        continue;
      }
    }
    return null;
  }

  /**
   * Returns how deep a query nests, including the queries inside those of kind {@code wrapper}.
   *
   * @param depth of the query as it is written
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

  /** Decodes with the server's own decoder, which accepts more than Java's. */
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
   * Checks that scripts may run.
   *
   * @throws IllegalArgumentException (400) where none may
   */
  public static void check(RequestLimits limits) {
    if (!limits.get(RequestLimits.SCRIPTS)) {
      throw forbidden();
    }
  }

  /** Creates the exception (400) for a script where scripts are not allowed. */
  public static IllegalArgumentException forbidden() {
    return new IllegalArgumentException(FORBIDDEN);
  }

  private static final String FORBIDDEN =
      "it uses a script, which setting [" + RequestLimits.SCRIPTS.getKey() + "] forbids";
}
