// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.template;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.memory.RequestLimits;
import java.io.IOException;
import java.util.Map;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.QueryBuilder;

/**
 * Parses queries from rendered templates. The depth of a query is checked first, because the server
 * parses, rewrites and visits queries recursively, and a stack overflow would end the node.
 */
public final class QueryText {
  private QueryText() {}

  /**
   * Renders a template with a request's parameters, and parses the query.
   *
   * @throws IllegalArgumentException if the text is not a query, or is nested deeper than the
   *     limits allow
   */
  public static QueryBuilder parse(
      QueryTemplate template,
      Map<String, Object> params,
      NamedXContentRegistry registry,
      RequestBudget budget)
      throws IOException {
    return parse(template.render(params, budget), registry, budget);
  }

  public static QueryBuilder parse(
      String json, NamedXContentRegistry registry, RequestBudget budget) throws IOException {
    int limit = budget.limits().get(RequestLimits.MAX_NESTING);
    checkDepth(ScriptUse.depth(json, depth(json), limit), limit);
    try (XContentParser parser =
        JsonXContent.jsonXContent.createParser(
            registry, DeprecationHandler.IGNORE_DEPRECATIONS, json)) {
      QueryBuilder query =
          Guard.call(() -> "the query", () -> AbstractQueryBuilder.parseInnerQueryBuilder(parser));
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("unexpected text after the end of the query");
      }
      return query;
    }
  }

  static void checkDepth(int depth, RequestBudget budget) {
    checkDepth(depth, budget.limits().get(RequestLimits.MAX_NESTING));
  }

  private static void checkDepth(int depth, int max) {
    if (depth > max) {
      throw new IllegalArgumentException(
          "the query is nested "
              + depth
              + " levels deep, at most "
              + max
              + " allowed by setting ["
              + RequestLimits.MAX_NESTING.getKey()
              + "]");
    }
  }

  /** Returns the maximum depth of nested objects and arrays in a JSON text. */
  static int depth(String json) {
    int depth = 0;
    int max = 0;
    boolean string = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (string) {
        if (c == '\\') {
          i++;
        } else if (c == '"') {
          string = false;
        }
      } else if (c == '"') {
        string = true;
      } else if (c == '{' || c == '[') {
        max = Math.max(max, ++depth);
      } else if (c == '}' || c == ']') {
        depth--;
      }
    }
    return max;
  }
}
