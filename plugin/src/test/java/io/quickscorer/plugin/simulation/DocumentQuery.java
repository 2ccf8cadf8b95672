// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.ExistsQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.RangeQueryBuilder;
import org.opensearch.index.query.TermQueryBuilder;
import org.opensearch.index.query.TermsQueryBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;

/** The searches of the plugin in its own index, over documents in memory. */
final class DocumentQuery {
  private DocumentQuery() {}

  /** The documents of a page, by name where the search sorts by it. */
  static List<ShardDocument> page(SearchSourceBuilder source, List<ShardDocument> documents) {
    Object[] after = source.searchAfter();
    boolean sorted = source.sorts() != null && !source.sorts().isEmpty();
    return documents.stream()
        .filter(document -> matches(source.query(), fields(document)))
        .filter(
            document ->
                after == null
                    || after.length == 0
                    || name(document).compareTo(String.valueOf(after[0])) > 0)
        .sorted(
            sorted
                ? Comparator.comparing(DocumentQuery::name)
                : Comparator.comparing(ShardDocument::id))
        .limit(source.size() < 0 ? 10 : source.size())
        .toList();
  }

  private static String name(ShardDocument document) {
    return String.valueOf(fields(document).get("name"));
  }

  /** The fields of a document. */
  static Map<String, Object> fields(ShardDocument document) {
    return XContentHelper.convertToMap(document.source(), false, XContentType.CBOR).v2();
  }

  private static boolean matches(QueryBuilder query, Map<String, Object> fields) {
    return switch (query) {
      case BoolQueryBuilder all ->
          all.filter().stream().allMatch(part -> matches(part, fields))
              && all.must().stream().allMatch(part -> matches(part, fields))
              && all.mustNot().stream().noneMatch(part -> matches(part, fields));
      case ExistsQueryBuilder exists -> fields.containsKey(exists.fieldName());
      case TermQueryBuilder term -> isEqual(fields.get(term.fieldName()), term.value());
      case TermsQueryBuilder terms ->
          terms.values().stream().anyMatch(value -> isEqual(fields.get(terms.fieldName()), value));
      case RangeQueryBuilder range ->
          fields.get(range.fieldName()) instanceof Number number
              && number.longValue() < ((Number) range.to()).longValue();
      default -> throw new IllegalArgumentException(query.getName());
    };
  }

  private static boolean isEqual(@Nullable Object field, @Nullable Object value) {
    return field != null && value != null && String.valueOf(field).equals(String.valueOf(value));
  }
}
