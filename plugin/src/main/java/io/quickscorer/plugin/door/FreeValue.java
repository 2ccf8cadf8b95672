// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.door;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.XContentParser.Token;

/** Reads a value of any type from an {@link Input}, without recursion. */
final class FreeValue {
  private final Input in;
  private final int maxLevels;

  /**
   * The objects and arrays that contain the current value, the outermost first. An element is null
   * if its object or array has no values yet.
   */
  private @Nullable Object[] open = new Object[4];

  FreeValue(Input in, int maxLevels) {
    this.in = in;
    this.maxLevels = maxLevels;
  }

  @Nullable Object read() throws IOException {
    int outside = in.place().depth();
    while (true) {
      int level = in.place().depth() - outside;
      Object value;
      Token token = in.token();
      if (token == Token.START_OBJECT || token == Token.START_ARRAY) {
        if (level == maxLevels) {
          throw in.wrong("the value is nested more than " + maxLevels + " levels deep");
        }
        open = level == open.length ? Arrays.copyOf(open, 2 * level) : open;
        open[level] = null;
        in.place().enter(token == Token.START_OBJECT);
        in.next();
        continue;
      } else if (token == Token.END_OBJECT || token == Token.END_ARRAY) {
        in.place().leave();
        level--;
        value = closed(open[level], token);
      } else {
        value = in.scalar();
      }
      if (level == 0) {
        return value;
      }
      open[level - 1] = with(open[level - 1], value);
      in.next();
    }
  }

  /**
   * Adds a value to an object or array, and returns the object or array.
   *
   * @param container the object or array; if null, it is created
   */
  @SuppressWarnings("unchecked") // created in this class
  private Object with(@Nullable Object container, @Nullable Object value) {
    String name = in.place().name();
    if (name == null) {
      if (container == null) {
        in.take(HeapBudget.LIST_BYTES);
        container = new ArrayList<@Nullable Object>();
      }
      ((List<@Nullable Object>) container).add(value);
    } else {
      if (container == null) {
        in.take(HeapBudget.MAP_BYTES);
        container = new LinkedHashMap<String, @Nullable Object>();
      }
      ((Map<String, @Nullable Object>) container).put(name, value);
    }
    return container;
  }

  private static Object closed(@Nullable Object container, Token end) {
    return switch (container) {
      case null ->
          end == Token.END_OBJECT ? Collections.emptyMap() : Collections.<Object>emptyList();
      case Map<?, ?> map -> Collections.unmodifiableMap(map);
      case List<?> list -> Collections.unmodifiableList(list);
      default -> throw new IllegalStateException();
    };
  }
}
