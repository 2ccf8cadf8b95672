// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.memory.MemoryCharge;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.search.builder.SearchSourceBuilder;

/** A part of a search's body from which a parameter's value is copied. */
sealed interface ParamSource {
  /**
   * Returns the parameter's value; null if the search's body does not contain it.
   *
   * @param body returns the {@link #body}
   */
  @Nullable Object find(Supplier<Map<String, Object>> body);

  /**
   * Returns a search's body as the server writes it, with each query in its long form: {@code
   * {"match": {"title": {"query": "x", …}}}}.
   *
   * @param memory charges the bytes of the body
   */
  static Map<String, Object> body(SearchSourceBuilder source, MemoryCharge memory) {
    BytesReference written =
        BoundedContent.json(memory, builder -> source.toXContent(builder, ToXContent.EMPTY_PARAMS));
    return Door.own(MediaTypeRegistry.JSON, written, memory, Input::map);
  }

  /**
   * Copies the text of the first query in a search's JSON that has one of these types.
   *
   * @param types types of queries, such as {@code match} or {@code multi_match}
   */
  record QueryText(List<String> types) implements ParamSource {
    private static final List<String> TEXTS = List.of("query", "query_text", "value");

    /**
     * JSON fields of queries whose matches are excluded or get a lower score, such as {@code
     * must_not}. Texts in these fields are not what the user searches for.
     */
    private static final List<String> NEGATED = List.of("must_not", "negative");

    public QueryText {
      types = List.copyOf(types);
    }

    @Override
    public @Nullable Object find(Supplier<Map<String, Object>> body) {
      return find(body.get().get("query"));
    }

    private @Nullable Object find(@Nullable Object node) {
      if (node instanceof List<?> list) {
        for (Object item : list) {
          StepLimit.step();
          Object found = find(item);
          if (found != null) {
            return found;
          }
        }
      } else if (node instanceof Map<?, ?> map) {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          StepLimit.step();
          String key = String.valueOf(entry.getKey());
          Object found = types.contains(key) ? text(entry.getValue()) : null;
          if (found == null && !NEGATED.contains(key)) {
            found = find(entry.getValue());
          }
          if (found != null) {
            return found;
          }
        }
      }
      return null;
    }

    /**
     * Returns the text in the JSON object of a query: {@code "x"} in {@code {"query": "x"}} or
     * {@code {"field": {"query": "x"}}}.
     */
    private static @Nullable Object text(@Nullable Object query) {
      if (!(query instanceof Map<?, ?> map)) {
        return null;
      }
      for (String key : TEXTS) {
        if (map.get(key) instanceof String text) {
          return text;
        }
        // The server's queries accept a number or boolean as a text.
        if (map.get(key) instanceof Number || map.get(key) instanceof Boolean) {
          return map.get(key).toString();
        }
      }
      for (Object field : map.values()) {
        StepLimit.step();
        Object text = text(field);
        if (text != null) {
          return text;
        }
      }
      return null;
    }
  }

  /**
   * Copies the value at a path in the search's body.
   *
   * @param steps names of fields or indices of items; {@code *} matches any of them
   */
  record Path(List<String> steps) implements ParamSource {
    /** Maximum number of steps of a path, equal to the maximum depth of a search's body. */
    private static final int MAX_STEPS = Input.MAX_DEPTH;

    public Path {
      steps = List.copyOf(steps);
    }

    static Path parse(String path) {
      List<String> steps = List.of(path.split("\\.", -1));
      if (steps.contains("")) {
        throw new IllegalArgumentException("[path] has an empty name: [" + path + "]");
      }
      if (steps.size() > MAX_STEPS) {
        throw new IllegalArgumentException(
            "[path] has more than " + MAX_STEPS + " names separated by dots");
      }
      return new Path(steps);
    }

    @Override
    public @Nullable Object find(Supplier<Map<String, Object>> body) {
      return find(body.get(), 0);
    }

    private @Nullable Object find(@Nullable Object node, int step) {
      if (step == steps.size()) {
        return node;
      }
      if (node instanceof List<?> list) {
        return find(list, step);
      }
      return node instanceof Map<?, ?> map ? find(map, step) : null;
    }

    private @Nullable Object find(List<?> list, int step) {
      for (int i = 0; i < list.size(); i++) {
        StepLimit.step();
        if (steps.get(step).equals("*") || steps.get(step).equals(Integer.toString(i))) {
          Object found = find(list.get(i), step + 1);
          if (found != null) {
            return found;
          }
        }
      }
      return null;
    }

    /**
     * Returns the value at the end of the remaining path; null if there is none. One field name
     * with dots may match several steps.
     *
     * @param step index of the first remaining step
     */
    private @Nullable Object find(Map<?, ?> map, int step) {
      if (steps.get(step).equals("*")) {
        for (Object value : map.values()) {
          StepLimit.step();
          Object found = find(value, step + 1);
          if (found != null) {
            return found;
          }
        }
      }
      for (int end = step + 1; end <= steps.size(); end++) {
        StepLimit.step();
        Object value = map.get(String.join(".", steps.subList(step, end)));
        Object found = value == null ? null : find(value, end);
        if (found != null) {
          return found;
        }
      }
      return null;
    }
  }
}
