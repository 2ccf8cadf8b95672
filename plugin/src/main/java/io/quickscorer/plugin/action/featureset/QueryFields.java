// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.featureset;

import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.lucene.search.BooleanClause;
import org.opensearch.index.query.ExistsQueryBuilder;
import org.opensearch.index.query.MultiMatchQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilderVisitor;
import org.opensearch.index.query.QueryStringQueryBuilder;
import org.opensearch.index.query.SimpleQueryStringBuilder;
import org.opensearch.index.query.WithFieldName;

/** Collects the fields that a query names; those in a query string's text are not seen. */
final class QueryFields implements QueryBuilderVisitor {
  private final Set<String> fields = new LinkedHashSet<>();

  private QueryFields() {}

  /** The names, patterns such as {@code title*} left out. */
  static Set<String> of(QueryBuilder query) {
    QueryFields visitor = new QueryFields();
    query.visit(visitor);
    visitor.fields.removeIf(field -> field.indexOf('*') >= 0);
    return visitor.fields;
  }

  @Override
  public void accept(QueryBuilder query) {
    switch (query) {
      case MultiMatchQueryBuilder match -> fields.addAll(match.fields().keySet());
      case QueryStringQueryBuilder text -> {
        fields.addAll(text.fields().keySet());
        if (text.defaultField() != null) {
          fields.add(text.defaultField());
        }
      }
      case SimpleQueryStringBuilder text -> fields.addAll(text.fields().keySet());
      case ExistsQueryBuilder exists -> fields.add(exists.fieldName());
      case WithFieldName leaf -> fields.add(leaf.fieldName());
      default -> {}
    }
  }

  @Override
  public QueryBuilderVisitor getChildVisitor(BooleanClause.Occur occur) {
    return this;
  }
}
