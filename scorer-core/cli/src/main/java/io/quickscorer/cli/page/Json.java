// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.page;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, numbers, booleans and strings as JSON. NaN and infinities become strings. */
public final class Json {
  private Json() {}

  /** Returns the JSON text of a value. */
  public static String of(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(e -> quoted(String.valueOf(e.getKey())) + ":" + of(e.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case List<?> list -> list.stream().map(Json::of).collect(Collectors.joining(",", "[", "]"));
      case Double number when !Double.isFinite(number) -> quoted(number.toString());
      case Number number -> number.toString();
      case Boolean bool -> bool.toString();
      default -> quoted(String.valueOf(value));
    };
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        // Characters that the terminal's character set may lack are escaped too.
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
