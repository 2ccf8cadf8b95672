// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.feature.Aggregate;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.feature.FieldFeature;
import io.quickscorer.plugin.feature.FieldReading;
import io.quickscorer.plugin.feature.Modifiers;
import io.quickscorer.plugin.feature.expression.FeatureExpression;
import io.quickscorer.plugin.feature.expression.FeatureExpression.Variable;
import io.quickscorer.plugin.feature.template.RequestParams;
import io.quickscorer.plugin.guard.Work;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts the ranking model's features and a request's parameters into a {@code final} expression.
 * What it reads of a hit is extracted with the features: fields become features of their own.
 */
final class FinalBinder {
  private final FeatureExpression expression;
  private final List<FeatureDefinition> features;
  private final Map<String, Integer> places = new HashMap<>();

  /**
   * @param set the first group's features
   */
  FinalBinder(String source, FeatureSet set) {
    this.expression = FeatureExpression.compile(source);
    this.features = new ArrayList<>(set.features());
    features.forEach(feature -> places.put(feature.name(), places.size()));
  }

  /**
   * Binds the variables.
   *
   * @param params the request's parameters with the set's defaults
   * @param needed the names of the features that it reads are added to these
   * @throws IllegalArgumentException naming the feature or parameter that is not there
   */
  BoundFinal bind(Map<String, Object> params, Set<String> needed) {
    List<BoundFinal.Argument> arguments = new ArrayList<>();
    try {
      for (Variable variable : expression.variables()) {
        Work.step();
        arguments.add(
            switch (variable) {
              case Variable.OfParam param ->
                  new BoundFinal.Argument(
                      BoundFinal.From.NUMBER, 0, RequestParams.number(params, param.name()));
              case Variable.OfField field -> feature(field(field.name()), needed);
              case Variable.OfFeature feature -> named(feature.name(), needed);
            });
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "[quickscorer] [" + FinalRules.FINAL + "]: " + e.getMessage(), e);
    }
    return new BoundFinal(expression.source(), arguments);
  }

  /** The features, those made of fields last. */
  List<FeatureDefinition> features() {
    return features;
  }

  private BoundFinal.Argument named(String name, Set<String> needed) {
    return switch (name) {
      case "score" -> new BoundFinal.Argument(BoundFinal.From.SCORE, 0, 0);
      case "model_score" -> new BoundFinal.Argument(BoundFinal.From.MODEL_SCORE, 0, 0);
      case "first_pass_score" -> new BoundFinal.Argument(BoundFinal.From.FIRST_PASS_SCORE, 0, 0);
      default -> feature(name, needed);
    };
  }

  private BoundFinal.Argument feature(String name, Set<String> needed) {
    Integer place = places.get(name);
    if (place == null) {
      throw new IllegalArgumentException(
          "there is no feature ["
              + name
              + "]; expected score, model_score, first_pass_score, a feature's name, field.… or"
              + " params.…");
    }
    needed.add(name);
    return new BoundFinal.Argument(BoundFinal.From.FEATURE, place, 0);
  }

  /** The name of a feature made of the field, which no other feature has. */
  private String field(String field) {
    StringBuilder name = new StringBuilder("field.").append(field);
    while (places.containsKey(name.toString())) {
      name.append('\'');
    }
    places.put(name.toString(), features.size());
    features.add(
        new FieldFeature(
            name.toString(), Modifiers.NONE, field, new FieldReading.Numbers(Aggregate.MIN)));
    return name.toString();
  }
}
