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
 * An expression, and the source of the value of each variable for one request. Immutable.
 *
 * @param source the expression's text
 * @param arguments one per variable of the expression, in the order of the variables
 */
public record BoundExpression(String source, List<Argument> arguments) implements WireRecord {
  public BoundExpression {
    arguments = List.copyOf(arguments);
  }

  /**
   * Binds the variables of an expression to one request.
   *
   * @param field returns the argument for a field, by its name
   * @param column returns the index of a feature's column, by its name
   * @throws IllegalArgumentException naming the feature or parameter that is absent
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
   * The source of a variable's value: a field, a feature's column, or a number in the request.
   *
   * @param field the field, whose smallest value counts, or null
   * @param column the column's index, or -1
   * @param number the number; 0 for a field or column
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
