// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.expression;

import io.quickscorer.plugin.feature.template.RequestParams;
import io.quickscorer.plugin.guard.Work;
import io.quickscorer.plugin.wire.WireRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An expression with one request's parameters put in. Immutable.
 *
 * @param source the expression
 * @param arguments one per variable of the expression, in its order
 */
public record BoundExpression(String source, List<Argument> arguments) implements WireRecord {
  public BoundExpression {
    arguments = List.copyOf(arguments);
  }

  /**
   * Binds the variables.
   *
   * @param field binds a field, by its name
   * @param column the column of a feature, by its name
   * @throws IllegalArgumentException naming the feature or parameter that is not there
   */
  public static BoundExpression of(
      FeatureExpression expression,
      Map<String, Object> params,
      Function<String, Argument> field,
      ToIntFunction<String> column) {
    List<Argument> arguments = new ArrayList<>();
    for (FeatureExpression.Variable variable : expression.variables()) {
      Work.step();
      arguments.add(
          switch (variable) {
            case FeatureExpression.Variable.OfParam param ->
                new Argument(null, -1, RequestParams.number(params, param.name()));
            case FeatureExpression.Variable.OfField read -> field.apply(read.name());
            case FeatureExpression.Variable.OfFeature feature ->
                Argument.ofColumn(column.applyAsInt(feature.name()));
          });
    }
    return new BoundExpression(expression.source(), arguments);
  }

  /**
   * Where a variable has its value from: a field's number, the smallest of several; a column; else
   * a number of the request.
   *
   * @param field the field, or null
   * @param column the column, or -1
   * @param number the number; 0 for the others
   */
  public record Argument(@Nullable String field, int column, double number) implements WireRecord {
    public static Argument ofField(String field) {
      return new Argument(field, -1, 0);
    }

    public static Argument ofColumn(int column) {
      return new Argument(null, column, 0);
    }

    public boolean isColumn() {
      return column >= 0;
    }

    public boolean isNumber() {
      return field == null && !isColumn();
    }
  }
}
