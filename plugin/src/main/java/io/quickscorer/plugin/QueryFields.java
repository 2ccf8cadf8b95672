// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.guard.StepLimit;
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
import org.opensearch.index.query.functionscore.DecayFunctionBuilder;
import org.opensearch.index.query.functionscore.FieldValueFactorFunctionBuilder;
import org.opensearch.index.query.functionscore.FunctionScoreQueryBuilder;
import org.opensearch.index.query.functionscore.RandomScoreFunctionBuilder;
import org.opensearch.index.query.functionscore.ScoreFunctionBuilder;

/**
 * Collects the names of the fields in a query. It does not find fields that are named in the text
 * of a {@code query_string} query or in a script.
 */
final class QueryFields implements QueryBuilderVisitor {
  private final Set<String> fields = new LinkedHashSet<>();
  private final Set<String> values = new LinkedHashSet<>();

  private QueryFields() {}

  static QueryFields of(QueryBuilder query) {
    QueryFields visitor = new QueryFields();
    query.visit(visitor);
    visitor.fields.removeIf(field -> field.indexOf('*') >= 0);
    return visitor;
  }

  /** Returns the names of the fields that are searched, without patterns such as {@code title*}. */
  Set<String> searched() {
    return fields;
  }

  /** Returns the names of the fields whose values are used in scores, as in a function score. */
  Set<String> values() {
    return values;
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
      case FunctionScoreQueryBuilder functions -> {
        for (var function : functions.filterFunctionBuilders()) {
          StepLimit.step();
          function.getFilter().visit(this);
          addValues(function.getScoreFunction());
        }
      }
      default -> {}
    }
  }

  private void addValues(ScoreFunctionBuilder<?> function) {
    switch (function) {
      case FieldValueFactorFunctionBuilder factor -> values.add(factor.fieldName());
      case DecayFunctionBuilder<?> decay -> values.add(decay.getFieldName());
      case RandomScoreFunctionBuilder random when random.getField() != null ->
          values.add(random.getField());
      default -> {}
    }
  }

  @Override
  public QueryBuilderVisitor getChildVisitor(BooleanClause.Occur occur) {
    return this;
  }
}
