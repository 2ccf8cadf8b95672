// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.memory.SearchSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.BooleanClause;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilderVisitor;
import org.opensearch.index.query.functionscore.FunctionScoreQueryBuilder;

/**
 * Parses queries in JSON. It checks their depth first: the server processes queries recursively,
 * and a stack overflow would end the node.
 */
public final class QueryText {
  static final String WRAPPER = "wrapper";

  private QueryText() {}

  /**
   * Inserts a request's parameters into a template, and parses the resulting query.
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
    int limit = budget.limits().get(SearchSettings.MAX_NESTING);
    checkDepth(depth(json, limit), limit);
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

  /**
   * Returns whether all threads can share a query object: true if the server itself defines the
   * types of all its parts, because such queries never change. A query of the k-NN plugin, for
   * example, may change during a search.
   */
  static boolean isShareable(QueryBuilder query) {
    ServerQueries visitor = new ServerQueries();
    query.visit(visitor);
    return visitor.all;
  }

  static void checkDepth(int depth, RequestBudget budget) {
    checkDepth(depth, budget.limits().get(SearchSettings.MAX_NESTING));
  }

  private static void checkDepth(int depth, int max) {
    if (depth > max) {
      throw new IllegalArgumentException(
          "the query is nested "
              + depth
              + " levels deep, at most "
              + max
              + " allowed by setting ["
              + SearchSettings.MAX_NESTING.getKey()
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

  /**
   * Returns the maximum depth of nested objects in a query, including the queries inside queries of
   * type {@code wrapper}, which contain them in base64.
   *
   * @param max the limit; counting stops when the depth exceeds it
   */
  private static int depth(String json, int max) {
    int depth = depth(json);
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

  /**
   * Returns the bytes of the query inside a query of type {@code wrapper}, which contains them in
   * base64; null if they can't be decoded.
   */
  static byte @Nullable [] hidden(Map<?, ?> wrapper) {
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
  static @Nullable Object read(byte[] query) {
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

  /** Decodes base64 as the server does, which accepts more inputs than Java's decoder. */
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

  /** Checks whether the server itself, not a plugin, defines the types of all parts of a query. */
  private static final class ServerQueries implements QueryBuilderVisitor {
    private static final String PACKAGE = QueryBuilder.class.getPackageName();

    private boolean all = true;

    private static boolean isServers(Object part) {
      String name = part.getClass().getPackageName();
      return name.equals(PACKAGE) || name.equals(FunctionScoreQueryBuilder.class.getPackageName());
    }

    @Override
    public void accept(QueryBuilder query) {
      all &= isServers(query);
      if (query instanceof FunctionScoreQueryBuilder functions) {
        for (var function : functions.filterFunctionBuilders()) {
          all &= isServers(function.getScoreFunction());
          function.getFilter().visit(this);
        }
      }
    }

    @Override
    public QueryBuilderVisitor getChildVisitor(BooleanClause.Occur occur) {
      return this;
    }
  }
}
