// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.search;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Replaces the template tags in a query in the same way as the plugin's {@code _log} endpoint, so
 * that a plain search finds the same hits. The value of {@code {{x}}} is escaped for a JSON string;
 * the values of {@code {{{x}}}} and {@code {{&x}}} are not.
 */
final class QueryTags {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String NAME = "\\s*([\\p{L}\\p{N}_-]+)\\s*";
  private static final Pattern TAG =
      Pattern.compile(
          "\\{\\{\\{" + NAME + "}}}|\\{\\{\\s*&" + NAME + "}}|\\{\\{" + NAME + "}}|\\{\\{");

  private QueryTags() {}

  /**
   * Returns a query in which the template tags are replaced by values.
   *
   * @throws IllegalStateException if a tag has no value or an unknown form
   */
  static String fill(String query, JsonNode params) {
    StringBuilder filled = new StringBuilder();
    Matcher tags = TAG.matcher(query);
    int from = 0;
    while (tags.find()) {
      String escaped = tags.group(3);
      String plain = tags.group(1) == null ? tags.group(2) : tags.group(1);
      String name = escaped == null ? plain : escaped;
      JsonNode value = name == null ? null : params.get(name);
      if (value == null || value.isNull()) {
        throw new IllegalStateException(
            "--query: found a template tag that is not of the form {{name}}; only the endpoint _log"
                + " can replace such a tag, so remove it");
      }
      String text = value.isString() ? value.asString() : value.toString();
      filled.append(query, from, tags.start()).append(escaped == null ? text : inString(text));
      from = tags.end();
    }
    return filled.append(query, from, query.length()).toString();
  }

  private static String inString(String text) {
    String quoted = JSON.writeValueAsString(text);
    return quoted.substring(1, quoted.length() - 1);
  }
}
