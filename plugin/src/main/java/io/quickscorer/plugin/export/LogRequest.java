// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import io.quickscorer.plugin.feature.template.QueryTemplate;
import io.quickscorer.plugin.model.Json;
import io.quickscorer.plugin.rescore.clause.Scope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchType;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * What to export: queries, and the documents of each.
 *
 * @param index where to search, as in the path of a search
 * @param queries at least one
 * @param format of the file
 * @param searchType which statistics scores see
 * @param scope whose hits make up the window of a query
 * @param columns whether the file about the columns is asked for, not the data
 * @param skipUnlabelled whether documents without a label are left out; else their label is 0
 */
public record LogRequest(
    String index,
    List<JudgedQuery> queries,
    LogFormat format,
    SearchType searchType,
    Scope scope,
    boolean columns,
    boolean skipUnlabelled) {
  /** Largest body, in bytes; what is read of it takes some times more. */
  private static final int MAX_BYTES = 16 << 20;

  /** Most documents of one query. */
  private static final int MAX_DOCUMENTS = 10_000;

  private static final int DEFAULT_SIZE = 100;

  /**
   * One query.
   *
   * @param qid its id, a number or a string
   * @param params for the feature set's and the query's templates
   * @param query the first pass, or null for no query: then only ids tell which documents
   * @param ids the documents, or empty for the first pass's best
   * @param labels per document id
   * @param size how many of the first pass's best
   */
  public record JudgedQuery(
      Object qid,
      Map<String, Object> params,
      @Nullable QueryTemplate query,
      List<String> ids,
      Map<String, Number> labels,
      int size) {
    /** How many documents it asks for; there may be fewer. */
    int documents() {
      return ids.isEmpty() ? size : ids.size();
    }
  }

  /**
   * Reads a body.
   *
   * @throws IllegalArgumentException (400) naming the field that is wrong
   */
  public static LogRequest parse(@Nullable MediaType type, BytesReference body) {
    if (body.length() > MAX_BYTES) {
      throw new IllegalArgumentException(
          "body: "
              + body.length()
              + " bytes, at most "
              + MAX_BYTES
              + " allowed; send fewer queries");
    }
    return of(new Fields("", Json.map(type, body)));
  }

  private static LogRequest of(Fields body) {
    String index = body.string("index", null);
    LogFormat format = LogFormat.of(body.string("format", "csv"));
    SearchType searchType = searchType(body.string("search_type", "query_then_fetch"));
    Scope scope = body.scope();
    QueryTemplate query = body.template("query");
    int size = body.number("size", DEFAULT_SIZE, 1, MAX_DOCUMENTS);
    boolean columns =
        switch (body.string("file", "data")) {
          case "data" -> false;
          case "columns" -> true;
          default -> throw new IllegalArgumentException("file: expected data or columns");
        };
    boolean skip =
        switch (body.string("unlabelled", "zero")) {
          case "zero" -> false;
          case "skip" -> true;
          default -> throw new IllegalArgumentException("unlabelled: expected zero or skip");
        };
    List<JudgedQuery> queries = new ArrayList<>();
    Set<String> qids = new HashSet<>();
    for (Object value : body.list("queries")) {
      Fields fields = new Fields("queries[" + queries.size() + "].", value);
      JudgedQuery judged = query(fields, queries.size() + 1, query, size, format);
      // To a trainer two queries of one number are one.
      if (!qids.add(judged.qid().toString())) {
        throw fields.wrong("qid", "one of its own, " + judged.qid() + " was there before");
      }
      if (format.qids() == LogFormat.Qids.ASCENDING
          && !queries.isEmpty()
          && number(judged) < number(queries.getLast())) {
        throw fields.wrong("qid", "numbers that ascend, as format [" + format.label() + "] asks");
      }
      queries.add(judged);
    }
    if (queries.isEmpty()) {
      throw new IllegalArgumentException("queries: expected at least one");
    }
    body.end();
    return new LogRequest(index, queries, format, searchType, scope, columns, skip);
  }

  private static JudgedQuery query(
      Fields fields, int number, @Nullable QueryTemplate shared, int size, LogFormat format) {
    Object qid = fields.remove("qid");
    if (qid == null) {
      qid = number;
    }
    boolean whole = qid instanceof Integer || qid instanceof Long;
    if (format.qids() == LogFormat.Qids.ANY
        ? !whole && !(qid instanceof String)
        : !whole || ((Number) qid).longValue() < 0) {
      throw fields.wrong(
          "qid",
          format.qids() == LogFormat.Qids.ANY
              ? "a whole number or a string"
              : "a whole number from 0, as format [" + format.label() + "] asks");
    }
    QueryTemplate query = fields.template("query");
    if (query == null) {
      query = shared;
    }
    List<String> ids = new ArrayList<>();
    for (Object id : fields.has("ids") ? fields.list("ids") : List.of()) {
      ids.add(String.valueOf(id));
    }
    Map<String, Number> labels = new LinkedHashMap<>();
    fields
        .object("labels")
        .forEach(
            (id, label) -> {
              if (!(label instanceof Number value) || !Double.isFinite(value.doubleValue())) {
                throw fields.wrong("labels." + id, "a number");
              }
              labels.put(id, value);
            });
    if (ids.isEmpty() && !fields.has("size") && query == null) {
      ids.addAll(labels.keySet());
    }
    if (ids.isEmpty() && query == null) {
      throw fields.wrong("ids", "documents, or a query whose best hits are taken");
    }
    if (ids.size() > MAX_DOCUMENTS) {
      throw fields.wrong("ids", "at most " + MAX_DOCUMENTS + " documents");
    }
    JudgedQuery judged =
        new JudgedQuery(
            qid,
            fields.object("params"),
            query,
            List.copyOf(ids),
            labels,
            fields.number("size", size, 1, MAX_DOCUMENTS));
    fields.end();
    return judged;
  }

  private static long number(JudgedQuery judged) {
    return ((Number) judged.qid()).longValue();
  }

  private static SearchType searchType(String name) {
    try {
      return SearchType.fromString(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "search_type: expected query_then_fetch or dfs_query_then_fetch", e);
    }
  }

  /** An object whose fields are taken out one by one; what is left at the end is unknown. */
  static final class Fields {
    private final String where;
    private final Map<String, Object> rest = new LinkedHashMap<>();

    Fields(String where, @Nullable Object value) {
      this.where = where;
      if (!(value instanceof Map<?, ?> map)) {
        throw new IllegalArgumentException(where + ": expected an object");
      }
      map.forEach((key, field) -> rest.put(String.valueOf(key), field));
    }

    boolean has(String field) {
      return rest.containsKey(field);
    }

    @Nullable Object remove(String field) {
      return rest.remove(field);
    }

    IllegalArgumentException wrong(String field, String expected) {
      return new IllegalArgumentException(where + field + ": expected " + expected);
    }

    String string(String field, @Nullable String absent) {
      Object value = rest.containsKey(field) ? rest.remove(field) : absent;
      if (!(value instanceof String string) || string.isEmpty()) {
        throw wrong(field, "a string");
      }
      return string;
    }

    Scope scope() {
      String scope = string("scope", Scope.SHARD.toString());
      try {
        return Scope.of(scope);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(where + "scope: " + e.getMessage(), e);
      }
    }

    int number(String field, int absent, int least, int most) {
      Object value = rest.containsKey(field) ? rest.remove(field) : Integer.valueOf(absent);
      if (!(value instanceof Integer number) || number < least || number > most) {
        throw wrong(field, "a whole number from " + least + " to " + most);
      }
      return number;
    }

    List<?> list(String field) {
      if (!(rest.remove(field) instanceof List<?> list)) {
        throw wrong(field, "an array");
      }
      return list;
    }

    /** Empty if it is absent. */
    Map<String, Object> object(String field) {
      Map<String, Object> object = new LinkedHashMap<>();
      if (rest.containsKey(field)) {
        if (!(rest.remove(field) instanceof Map<?, ?> map)) {
          throw wrong(field, "an object");
        }
        map.forEach((key, value) -> object.put(String.valueOf(key), value));
      }
      return object;
    }

    /** A query with mustache tags, as an object or as a string; null if it is absent. */
    @Nullable QueryTemplate template(String field) {
      Object value = rest.remove(field);
      return switch (value) {
        case null -> null;
        case String text -> new QueryTemplate(text);
        case Map<?, ?> ignored -> {
          rest.put(field, value);
          yield new QueryTemplate(json(object(field)));
        }
        default -> throw wrong(field, "an object or a string");
      };
    }

    private static String json(Map<String, Object> object) {
      try (XContentBuilder builder = XContentFactory.jsonBuilder()) {
        return builder.map(object).toString();
      } catch (IOException e) {
        throw new IllegalArgumentException("not writable as JSON", e);
      }
    }

    void end() {
      if (!rest.isEmpty()) {
        throw new IllegalArgumentException(
            where
                + "unknown field ["
                + Strings.collectionToCommaDelimitedString(rest.keySet())
                + "]");
      }
    }
  }
}
