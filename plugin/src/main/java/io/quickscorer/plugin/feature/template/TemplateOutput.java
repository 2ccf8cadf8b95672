// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.template;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.guard.Work;
import io.quickscorer.plugin.memory.RequestBudget;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text that one rendering of a template has written so far. Each piece is checked against the
 * maximum length and charged to the budget before it is written.
 */
public final class TemplateOutput {
  /**
   * Maximum number of tags and texts that one rendering writes; nested sections over lists multiply
   * them.
   */
  private static final int MAX_PARTS = 100_000;

  /** Maximum length of the text of one rendering, in characters. */
  static final int MAX_LENGTH = 1 << 20;

  /**
   * Maximum size in bytes of {@link #MAX_LENGTH} characters in UTF-8, plus brackets around them.
   */
  private static final int MAX_JSON_BYTES = 3 * MAX_LENGTH + 2;

  private static final String HEX = "0123456789ABCDEF";

  private final RequestBudget budget;
  private final StringBuilder text = new StringBuilder();
  private int parts;

  TemplateOutput(RequestBudget budget) {
    this.budget = budget;
  }

  String text() {
    return text.toString();
  }

  /**
   * Counts one more tag or text of the rendering.
   *
   * @throws IllegalArgumentException if the rendering has too many
   */
  void count() {
    Work.step();
    if (++parts > MAX_PARTS) {
      throw tooMuch();
    }
  }

  /**
   * Charges the budget for the next characters, before they are written.
   *
   * @throws IllegalArgumentException if the text becomes too long
   */
  void grow(long characters) {
    if (text.length() + characters > MAX_LENGTH) {
      throw tooMuch();
    }
    budget.render(characters);
  }

  private static IllegalArgumentException tooMuch() {
    return new IllegalArgumentException(
        "template: with these parameters, the result has more than "
            + MAX_LENGTH
            + " characters or needs more than "
            + MAX_PARTS
            + " tags and texts");
  }

  /** Writes a text without escaping it. */
  void plain(String piece) {
    grow(piece.length());
    text.append(piece);
  }

  void value(Object value, boolean escaped) {
    if (value instanceof Map || value instanceof List) {
      String json = toJson(value);
      if (escaped) {
        escaped(json);
      } else {
        plain(json);
      }
    } else if (escaped) {
      escaped(value.toString());
    } else {
      plain(value.toString());
    }
  }

  void json(Object value) {
    plain(toJson(value));
  }

  /** Writes a list's items, escaped, with commas between them. */
  void joined(Object value) {
    boolean first = true;
    for (Object item : value instanceof List<?> list ? list : List.of(value)) {
      count();
      if (!first) {
        plain(",");
      }
      first = false;
      value(item == null ? "" : item, true);
    }
  }

  /** Returns a value as JSON. First checks that the value's minimum length is within the limit. */
  private String toJson(Object value) {
    long min = minLength(value);
    if (text.length() + min > MAX_LENGTH) {
      throw tooMuch();
    }
    // Encodes an array that contains the value and removes the brackets, because the JSON writer
    // needs an object or array.
    String array =
        BoundedContent.json(MAX_JSON_BYTES, builder -> builder.startArray().value(value).endArray())
            .utf8ToString();
    return array.substring(1, array.length() - 1);
  }

  /** Returns a lower bound of the number of characters of the value as JSON. */
  public static long minLength(@Nullable Object value) {
    long length = 0;
    Deque<Object> open = new ArrayDeque<>();
    open.push(value == null ? Map.of() : value);
    while (!open.isEmpty()) {
      Work.step();
      Iterable<?> inner =
          switch (open.pop()) {
            case Map<?, ?> map -> {
              for (Object key : map.keySet()) {
                length += String.valueOf(key).length();
              }
              yield map.values();
            }
            case List<?> list -> {
              length += list.size();
              yield list;
            }
            case String string -> {
              length += string.length();
              yield List.of();
            }
            default -> {
              length++;
              yield List.of();
            }
          };
      for (Object item : inner) {
        // A null is at least as long as an empty object, whose length is counted as 0.
        open.push(item == null ? Map.of() : item);
      }
    }
    return length;
  }

  /** Writes a text with the escapes that a JSON string needs. */
  private void escaped(String piece) {
    long length = 0;
    for (int i = 0; i < piece.length(); i++) {
      length += escapedLength(piece.charAt(i));
    }
    grow(length);
    if (length == piece.length()) {
      text.append(piece);
      return;
    }
    for (int i = 0; i < piece.length(); i++) {
      escape(piece.charAt(i));
    }
  }

  private static int escapedLength(char c) {
    return c >= ' ' ? c == '"' || c == '\\' ? 2 : 1 : shortEscape(c) != 0 ? 2 : 6;
  }

  private void escape(char c) {
    if (c == '"' || c == '\\') {
      text.append('\\').append(c);
    } else if (c >= ' ') {
      text.append(c);
    } else if (shortEscape(c) != 0) {
      text.append('\\').append(shortEscape(c));
    } else {
      text.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
    }
  }

  /**
   * Returns the letter after the backslash in the short JSON escape of a control character, such as
   * n for a line feed; 0 if there is none.
   */
  private static char shortEscape(char c) {
    return switch (c) {
      case '\b' -> 'b';
      case '\t' -> 't';
      case '\n' -> 'n';
      case '\f' -> 'f';
      case '\r' -> 'r';
      default -> 0;
    };
  }
}
