// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.feature.Aggregate;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.feature.FieldFeature;
import io.quickscorer.plugin.feature.FieldReading;
import io.quickscorer.plugin.feature.Modifiers;
import io.quickscorer.plugin.feature.expression.BoundExpression;
import io.quickscorer.plugin.feature.expression.BoundExpression.Argument;
import io.quickscorer.plugin.feature.expression.FeatureExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Binds a {@code final} expression to the ranking model's features and a request's parameters. Each
 * document field in the expression becomes an additional feature, which is computed with the
 * others.
 */
public final class FinalBinder {
  /** Index of the column that contains the score of each hit before the expression changes it. */
  public static final int SCORE = 0;

  public static final int MODEL_SCORE = 1;
  public static final int FIRST_PASS_SCORE = 2;

  /**
   * Index of the column of the first feature in the ranking model's group. The columns of the other
   * features follow.
   */
  public static final int FIRST_FEATURE = 3;

  private final FeatureExpression expression;
  private final List<FeatureDefinition> features;
  private final Map<String, Integer> columns = new HashMap<>();

  /**
   * Compiles a {@code final} expression.
   *
   * @param set the features of the ranking model's group
   */
  FinalBinder(String source, FeatureSet set) {
    this.expression = FeatureExpression.compile(source);
    this.features = new ArrayList<>(set.features());
    features.forEach(feature -> columns.put(feature.name(), FIRST_FEATURE + columns.size()));
    columns.put("score", SCORE);
    columns.put("model_score", MODEL_SCORE);
    columns.put("first_pass_score", FIRST_PASS_SCORE);
  }

  /**
   * Returns the expression with its variables bound to columns and parameters.
   *
   * @param params the request's parameters and the set's defaults
   * @param needed receives the names of the features that the expression reads
   * @throws IllegalArgumentException naming the feature or parameter that is absent
   */
  BoundExpression bind(Map<String, Object> params, Set<String> needed) {
    try {
      return BoundExpression.of(
          expression,
          params,
          field -> Argument.ofColumn(column(field(field), needed)),
          feature -> column(feature, needed));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "[quickscorer] [" + FinalRules.FINAL + "]: " + e.getMessage(), e);
    }
  }

  /** Returns the set's features, followed by features for the fields that the expression reads. */
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
    if (column >= FIRST_FEATURE) {
      needed.add(name);
    }
    return column;
  }

  /**
   * Adds a feature that reads a document field, and returns the feature's name, which is unique in
   * the set.
   */
  private String field(String field) {
    StringBuilder name = new StringBuilder("field.").append(field);
    while (columns.containsKey(name.toString())) {
      name.append('\'');
    }
    columns.put(name.toString(), FIRST_FEATURE + features.size());
    features.add(
        new FieldFeature(
            name.toString(), Modifiers.NONE, field, new FieldReading.Numbers(Aggregate.MIN)));
    return name.toString();
  }
}
