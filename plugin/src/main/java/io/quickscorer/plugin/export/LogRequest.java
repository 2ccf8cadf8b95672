// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.door.Texts;
import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.feature.QueryTemplate;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.FeatureBinding;
import io.quickscorer.plugin.rescore.clause.Scope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;

/**
 * A request for a training file: its queries, and the documents of each.
 *
 * @param index the indices to search, as in the path of a search
 * @param queries the queries, at least one
 * @param format the format of the file
 * @param searchType OpenSearch's type of search: whether scores use the term statistics of each
 *     shard or of all shards
 * @param scope whether the features are computed for the best hits of each shard or of all shards
 * @param columns true to return a description of the columns instead of the data
 * @param skipUnlabelled true to leave out documents without a label; otherwise their label is 0
 */
record LogRequest(
    String index,
    List<JudgedQuery> queries,
    LogFormat format,
    SearchType searchType,
    Scope scope,
    boolean columns,
    boolean skipUnlabelled) {
  /** Maximum size of a body in bytes; the parsed request takes several times this memory. */
  private static final int MAX_BYTES = 16 << 20;

  /** Maximum number of characters in the list of indices, which is parsed for each search. */
  private static final int MAX_INDEX = 4_096;

  private static final int MAX_DOCUMENTS = 10_000;

  private static final int DEFAULT_SIZE = 100;

  /**
   * A query of the request, and its judged documents.
   *
   * @param qid the id of the query, a whole number or a string
   * @param params the parameters for the templates of the feature set and of the query
   * @param query the query, or null if the documents are given only by their ids
   * @param ids the ids of the documents, or empty for the best hits of the query
   * @param labels the labels (grades of relevance) by document id
   * @param size the number of best hits to return if {@code ids} is empty
   */
  public record JudgedQuery(
      Object qid,
      Map<String, Object> params,
      @Nullable QueryTemplate query,
      List<String> ids,
      Map<String, Number> labels,
      int size) {
    /** Returns the number of documents that the query requests; fewer may be in the index. */
    int documents() {
      return ids.isEmpty() ? size : ids.size();
    }
  }

  /**
   * Parses the body of a request.
   *
   * @throws IllegalArgumentException (400) if a field is not valid; the message names it
   */
  public static LogRequest parse(
      @Nullable MediaType type, BytesReference body, MemoryCharge memory) {
    if (body.length() > MAX_BYTES) {
      throw new IllegalArgumentException(
          "body: "
              + body.length()
              + " bytes, at most "
              + MAX_BYTES
              + " allowed; send fewer queries");
    }
    return Door.body(type, body, memory, in -> SHAPE.read(in, new Fields()).request());
  }

  /** The fields that both requests for training files and requests to test feature sets have. */
  static class Search {
    private String index = "";
    private Scope scope = Scope.SHARD;
    private @Nullable QueryTemplate query;
    private Map<String, Object> params = Map.of();
    private int size;

    Search(int size) {
      this.size = size;
    }

    String index() {
      if (index.isEmpty()) {
        throw new IllegalArgumentException("index: expected a string that is not empty");
      }
      if (index.length() > MAX_INDEX) {
        throw new IllegalArgumentException(
            "index: found " + index.length() + " characters, expected at most " + MAX_INDEX);
      }
      return index;
    }

    Scope scope() {
      return scope;
    }

    @Nullable QueryTemplate query() {
      return query;
    }

    Map<String, Object> params() {
      return params;
    }

    void params(Map<String, Object> given) {
      params = given;
    }

    int size() {
      return size;
    }

    static <S extends Search> Shape<S> shape(int max) {
      return new Shape<S>()
          .text("index", (search, index) -> ((Search) search).index = index)
          .text("scope", (search, scope) -> ((Search) search).scope = Scope.of(scope))
          .any("query", (search, in) -> ((Search) search).query = template(in))
          .whole("size", 1, max, (search, size) -> ((Search) search).size = (int) size)
          .required("index");
    }
  }

  private static final Shape<Query> QUERY =
      new Shape<Query>()
          .any("qid", (query, in) -> query.qid = in.value())
          .any("query", (query, in) -> query.template = template(in))
          .list("ids", MAX_DOCUMENTS, (query, in) -> query.ids.add(id(in)))
          .object("labels", Input.MAX_ITEMS, Query::labels)
          .map("params", (query, params) -> query.params = params)
          .whole("size", 1, MAX_DOCUMENTS, (query, size) -> query.size = (int) size);

  private static final Shape<Fields> SHAPE =
      Search.<Fields>shape(MAX_DOCUMENTS)
          .text("format", (fields, format) -> fields.format = LogFormat.of(format))
          .text("search_type", (fields, type) -> fields.searchType = searchType(type))
          .text(
              "file", (fields, file) -> fields.columns = Texts.either("", file, "data", "columns"))
          .text(
              "unlabelled", (fields, zero) -> fields.skip = Texts.either("", zero, "zero", "skip"))
          .objects(
              "queries",
              Input.MAX_ITEMS,
              QUERY,
              Query::new,
              (fields, queries) -> fields.queries = queries)
          .required("queries");

  /**
   * Reads a query's template from a JSON object, or from a string with mustache tags
   * (placeholders). Returns null for JSON null.
   */
  private static @Nullable QueryTemplate template(Input in) throws IOException {
    QueryTemplate template =
        switch (in.value()) {
          case null -> null;
          case String text -> new QueryTemplate(text);
          case Map<?, ?> query -> QueryTemplate.of(query);
          default -> throw in.wrong("expected an object or a string");
        };
    in.charge(template == null ? 0 : template.heapBytes());
    return template;
  }

  private static final class Fields extends Search {
    private LogFormat format = LogFormat.of("csv");
    private SearchType searchType = SearchType.QUERY_THEN_FETCH;
    private boolean columns;
    private boolean skip;
    private List<Query> queries = List.of();

    Fields() {
      super(DEFAULT_SIZE);
    }

    private LogRequest request() {
      List<JudgedQuery> judged = new ArrayList<>();
      Set<String> qids = new HashSet<>();
      for (Query query : queries) {
        JudgedQuery next = query.judged(judged.size(), this);
        // A trainer would treat two queries with the same number as one.
        if (!qids.add(next.qid().toString())) {
          throw wrong(
              judged.size(),
              "qid",
              "expected an id that no other query has, found [" + next.qid() + "] twice");
        }
        if (format.qids() == LogFormat.Qids.ASCENDING
            && !judged.isEmpty()
            && number(next) < number(judged.getLast())) {
          throw wrong(
              judged.size(),
              "qid",
              "expected ascending numbers, because format ["
                  + EnumNames.of(format)
                  + "] requires them");
        }
        judged.add(next);
      }
      if (judged.isEmpty()) {
        throw new IllegalArgumentException("queries: expected at least one");
      }
      return new LogRequest(index(), judged, format, searchType, scope(), columns, skip);
    }
  }

  private static String id(Input in) throws IOException {
    Object id = in.value();
    if (!(id instanceof String || id instanceof Number)) {
      throw in.wrong("expected a string or a number");
    }
    return id.toString();
  }

  private static IllegalArgumentException wrong(int query, String field, String message) {
    return new IllegalArgumentException("queries[" + query + "]." + field + ": " + message);
  }

  private static final class Query {
    private @Nullable Object qid;
    private @Nullable QueryTemplate template;
    private final Set<String> ids = new LinkedHashSet<>();
    private final Map<String, Number> labels = new LinkedHashMap<>();
    private Map<String, Object> params = Map.of();
    private int size;

    private void labels(Input in) throws IOException {
      in.object(
          Input.MAX_ITEMS,
          id -> {
            if (!(in.value() instanceof Number label) || !Double.isFinite(label.doubleValue())) {
              throw in.wrong("expected a number");
            }
            labels.put(id, label);
          });
    }

    /**
     * Returns one query of the request.
     *
     * @param place the index of the query, from 0
     * @param shared the fields of the request; they replace fields that the query lacks
     */
    private JudgedQuery judged(int place, Fields shared) {
      LogFormat format = shared.format;
      Object id = qid == null ? place + 1 : qid;
      boolean whole = id instanceof Integer || id instanceof Long;
      if (format.qids() == LogFormat.Qids.ANY
          ? !whole && !(id instanceof String)
          : !whole || ((Number) id).longValue() < 0) {
        throw wrong(
            place,
            "qid",
            format.qids() == LogFormat.Qids.ANY
                ? "expected a whole number or a string"
                : "expected a whole number from 0, because format ["
                    + EnumNames.of(format)
                    + "] requires it");
      }
      QueryTemplate query = template == null ? shared.query() : template;
      if (ids.isEmpty() && size == 0 && query == null) {
        ids.addAll(labels.keySet());
      }
      if (ids.isEmpty() && query == null) {
        throw wrong(
            place, "ids", "expected ids of documents, or a [query] whose best hits are logged");
      }
      if (ids.size() > MAX_DOCUMENTS) {
        throw wrong(place, "ids", "expected at most " + MAX_DOCUMENTS + " documents");
      }
      return new JudgedQuery(
          id, params, query, List.copyOf(ids), labels, size == 0 ? shared.size() : size);
    }
  }

  private static long number(JudgedQuery judged) {
    return ((Number) judged.qid()).longValue();
  }

  private static SearchType searchType(String name) {
    try {
      return SearchType.fromString(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "found ["
              + FeatureBinding.shown(name)
              + "], expected query_then_fetch or dfs_query_then_fetch",
          e);
    }
  }
}
