// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.rewrite;

import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.feature.FieldFeature;
import io.quickscorer.plugin.feature.LuceneExpression;
import io.quickscorer.plugin.feature.LuceneExpression.Bound.Argument;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.FinalRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Determines where the value of each variable in a clause's {@code final} expression (a formula for
 * final scores) comes from: a feature, or a parameter of the request. A document field in the
 * expression becomes an additional feature.
 */
final class FinalBinder {
  private final LuceneExpression expression;
  private final List<FeatureDefinition> features;
  private final Map<String, Integer> columns = new HashMap<>();

  /**
   * Compiles a {@code final} expression.
   *
   * @param source the text of the expression
   * @param set the features that the ranking model can read
   */
  FinalBinder(String source, FeatureSet set) {
    this.expression = LuceneExpression.compile(source);
    this.features = new ArrayList<>(set.features());
    features.forEach(
        feature -> columns.put(feature.name(), BoundClause.FIRST_FEATURE + columns.size()));
    columns.put("score", BoundClause.SCORE);
    columns.put("model_score", BoundClause.MODEL_SCORE);
    columns.put("first_pass_score", BoundClause.FIRST_PASS_SCORE);
  }

  /**
   * Returns the expression with the origin of each variable's value.
   *
   * @param params the request's parameters and the set's defaults
   * @param needed receives the names of the features that the expression reads
   * @throws IllegalArgumentException naming the feature or parameter that is absent
   */
  LuceneExpression.Bound bind(Map<String, Object> params, Set<String> needed) {
    try {
      return LuceneExpression.Bound.of(
          expression,
          params,
          field -> Argument.ofColumn(column(field(field), needed)),
          feature -> column(feature, needed));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "[quickscorer] [" + FinalRules.FINAL + "]: " + e.getMessage(), e);
    }
  }

  /** Returns the set's features, then the additional features for the fields in the expression. */
  List<FeatureDefinition> features() {
    return features;
  }

  private int column(String name, Set<String> needed) {
    Integer column = columns.get(name);
    if (column == null) {
      throw new IllegalArgumentException(
          "there is no feature ["
              + name
              + "]; expected score, model_score, first_pass_score, a feature's name, field.… or"
              + " params.…");
    }
    if (column >= BoundClause.FIRST_FEATURE) {
      needed.add(name);
    }
    return column;
  }

  /** Adds a feature that reads a document field; returns the feature's name, unique in the set. */
  private String field(String field) {
    StringBuilder name = new StringBuilder("field.").append(field);
    while (columns.containsKey(name.toString())) {
      name.append('\'');
    }
    columns.put(name.toString(), BoundClause.FIRST_FEATURE + features.size());
    features.add(FieldFeature.number(name.toString(), field));
    return name.toString();
  }
}
