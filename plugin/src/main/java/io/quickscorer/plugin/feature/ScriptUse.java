// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.memory.SearchSettings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds scripts in queries: in each part of the server's query types that can contain a script. */
public final class ScriptUse {
  private static final String SCRIPT = "script";
  private static final String MINIMUM_SHOULD_MATCH = "minimum_should_match_script";

  /**
   * Names of the JSON objects that run the script in their field {@link #SCRIPT}: two types of
   * queries, and the filter of an {@code intervals} query.
   */
  private static final Set<String> QUERIES = Set.of(SCRIPT, "script_score", "filter");

  private static final Set<String> BODIES = Set.of("source", "id");

  /** Finds a script in a template whose text is not JSON until parameters are inserted. */
  private static final Pattern IN_TEXT =
      Pattern.compile("\"(script|script_score|" + MINIMUM_SHOULD_MATCH + ")\"\\s*:");

  private ScriptUse() {}

  /** Returns whether a template's query runs a script, even if only for some parameters. */
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
        if (level.key.equals(QueryText.WRAPPER)) {
          byte[] hidden = QueryText.hidden(map);
          open.push(new Level("", hidden == null ? null : QueryText.read(hidden)));
        }
        map.forEach((key, value) -> open.push(new Level(String.valueOf(key), value)));
      }
    }
    return false;
  }

  /**
   * Checks that the node allows scripts.
   *
   * @param limits the node's settings
   * @throws IllegalArgumentException (400) if the node does not allow scripts
   */
  public static void check(SearchSettings limits) {
    if (!limits.get(SearchSettings.SCRIPTS)) {
      throw forbidden();
    }
  }

  /** Returns the exception (400) for a script on a node that does not allow scripts. */
  public static IllegalArgumentException forbidden() {
    return new IllegalArgumentException(FORBIDDEN);
  }

  private static final String FORBIDDEN =
      "a script is used, which setting [" + SearchSettings.SCRIPTS.getKey() + "] forbids";
}
