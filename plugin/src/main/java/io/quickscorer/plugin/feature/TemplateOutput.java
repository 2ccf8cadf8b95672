// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.QueryTemplate.Function;
import io.quickscorer.plugin.feature.QueryTemplate.Part;
import io.quickscorer.plugin.feature.QueryTemplate.Section;
import io.quickscorer.plugin.feature.QueryTemplate.TagName;
import io.quickscorer.plugin.feature.QueryTemplate.Text;
import io.quickscorer.plugin.feature.QueryTemplate.Variable;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.memory.RequestBudget;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The text that a template becomes for one request. The length of each piece is limited, and its
 * memory charged, before it is written.
 */
final class TemplateOutput {
  /** Maximum number of pieces of one output: values of tags, and texts between tags. */
  private static final int MAX_PARTS = 100_000;

  static final int MAX_LENGTH = 1 << 20;

  /**
   * Maximum size, in bytes of UTF-8 JSON, of an array or object with {@link #MAX_LENGTH}
   * characters.
   */
  private static final int MAX_JSON_BYTES = 3 * MAX_LENGTH + 2;

  private static final String HEX = "0123456789ABCDEF";

  private final Set<String> optional;
  private final RequestBudget budget;
  private final StringBuilder text = new StringBuilder();
  private int parts;

  /**
   * Creates an empty output.
   *
   * @param optional names of parameters that may have no value
   */
  TemplateOutput(Set<String> optional, RequestBudget budget) {
    this.optional = optional;
    this.budget = budget;
  }

  String text() {
    return text.toString();
  }

  /**
   * Writes the parts of a template, and replaces each tag by the value of its parameter.
   *
   * @param scopes the objects in which parameters are looked up, the innermost first
   */
  void render(List<Part> parts, Deque<Object> scopes) {
    for (Part part : parts) {
      count();
      switch (part) {
        case Text text -> plain(text.text());
        case Variable variable -> {
          Object value = lookup(variable.name(), scopes);
          if (value != null) {
            value(value, variable.escaped());
          } else if (!optional.contains(variable.name().text())) {
            throw absent(variable.name());
          }
        }
        case Function function -> {
          Object value = lookup(function.name(), scopes);
          if (value == null) {
            throw absent(function.name());
          }
          if (function.function().equals("join")) {
            joined(value);
          } else {
            json(value);
          }
        }
        case Section section -> render(section, scopes);
      }
    }
  }

  private void render(Section section, Deque<Object> scopes) {
    Object value = lookup(section.name(), scopes);
    boolean truth =
        switch (value) {
          case null -> false;
          case Boolean bool -> bool;
          case String text -> !text.isEmpty();
          case List<?> list -> !list.isEmpty();
          default -> true;
        };
    if (section.inverted() || !truth) {
      if (section.inverted() && !truth) {
        render(section.parts(), scopes);
      }
      return;
    }
    for (Object item : value instanceof List<?> list ? list : List.of(value)) {
      count();
      scopes.push(item == null ? "" : item);
      render(section.parts(), scopes);
      scopes.pop();
    }
  }

  private static @Nullable Object lookup(TagName name, Deque<Object> scopes) {
    if (name.path().isEmpty()) {
      return scopes.element();
    }
    for (Object scope : scopes) {
      StepLimit.step();
      if (scope instanceof Map<?, ?> map && map.containsKey(name.path().getFirst())) {
        Object value = map;
        for (String key : name.path()) {
          value = value instanceof Map<?, ?> inner ? inner.get(key) : null;
        }
        return value;
      }
    }
    return null;
  }

  private static IllegalArgumentException absent(TagName name) {
    return new IllegalArgumentException("parameter [" + name.text() + "] has no value");
  }

  /**
   * Counts one more piece: a tag's value, or a text between tags.
   *
   * @throws IllegalArgumentException if the output has too many pieces
   */
  void count() {
    StepLimit.step();
    if (++parts > MAX_PARTS) {
      throw tooMuch();
    }
  }

  /**
   * Charges the memory of the next characters, before they are written.
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

  void plain(String piece) {
    grow(piece.length());
    text.append(piece);
  }

  void value(Object value, boolean escaped) {
    String piece = value instanceof Map || value instanceof List ? toJson(value) : value.toString();
    if (escaped) {
      escaped(piece);
    } else {
      plain(piece);
    }
  }

  void json(Object value) {
    plain(toJson(value));
  }

  /**
   * Writes the items of a list with commas between them. Characters are escaped for a JSON string.
   */
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

  /** Returns a value as JSON. Before that, checks the limit with {@link #minLength}. */
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

  /** Returns a lower bound of the number of characters that a value has as JSON. */
  static long minLength(@Nullable Object value) {
    return Door.nested(value)
        .mapToLong(
            each ->
                switch (each) {
                  case Map<?, ?> map ->
                      map.keySet().stream()
                          .mapToLong(
                              key -> {
                                StepLimit.step();
                                return String.valueOf(key).length();
                              })
                          .sum();
                  case List<?> list -> list.size();
                  case String string -> string.length();
                  default -> 1;
                })
        .sum();
  }

  /** Writes a text, and escapes the characters that a JSON string must escape. */
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
   * Returns the letter of a control character's JSON escape, such as n for a line feed; 0 if none.
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
