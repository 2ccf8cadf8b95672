// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.feature.expression.BoundExpression;
import io.quickscorer.plugin.feature.expression.BoundExpression.Argument;
import io.quickscorer.plugin.feature.expression.FeatureExpression;
import io.quickscorer.plugin.feature.expression.FeatureExpression.Variable;
import io.quickscorer.plugin.feature.window.Column;
import io.quickscorer.plugin.feature.window.InputColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.search.DoubleValues;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A feature: the value of a Lucene expression over other features, fields and parameters, in double
 * precision.
 */
record ExpressionFeature(String name, Modifiers modifiers, FeatureExpression expression)
    implements FeatureDefinition {
  private static final String TYPE = "expression";

  static final FeatureKind KIND =
      new FeatureKind(TYPE, ExpressionFeature::parse, List.of(Bound.class));

  private static ExpressionFeature parse(String name, Modifiers modifiers, Options options) {
    return new ExpressionFeature(
        name, modifiers, FeatureExpression.compile(options.string("expression")));
  }

  @Override
  public void tell(FeatureUses uses) {
    for (FeatureExpression.Variable variable : expression.variables()) {
      if (variable instanceof FeatureExpression.Variable.OfField read) {
        uses.field(read.name(), true);
      }
    }
  }

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public void optionsToXContent(XContentBuilder builder) throws IOException {
    builder.field("expression", expression.source());
  }

  @Override
  public Set<String> inputs() {
    Set<String> inputs = new LinkedHashSet<>();
    for (Variable variable : expression.variables()) {
      if (variable instanceof Variable.OfFeature feature) {
        inputs.add(feature.name());
      }
    }
    return inputs;
  }

  /**
   * Returns the bound feature. An expression that reads only parameters is evaluated here, once, to
   * a constant.
   */
  @Override
  public BoundFeature bind(RequestBinding request) throws IOException {
    BoundExpression bound =
        BoundExpression.of(expression, request.params(), Argument::ofField, request::place);
    List<Argument> arguments = bound.arguments();
    if (!arguments.stream().allMatch(Argument::isNumber)) {
      return new Bound(name, modifiers, bound);
    }
    DoubleValues[] numbers = new DoubleValues[arguments.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = new InputColumn(arguments.get(i).number());
    }
    double value = expression.compiled().evaluate(numbers);
    return new BoundFeature.Constant(name, modifiers.apply(value));
  }

  private record Bound(String name, Modifiers modifiers, BoundExpression expression)
      implements BoundFeature {
    @Override
    public int[] inputs() {
      return expression.arguments().stream()
          .filter(Argument::isColumn)
          .mapToInt(Argument::column)
          .toArray();
    }

    @Override
    public int ownColumns() {
      return (int) expression.arguments().stream().filter(input -> input.field() != null).count();
    }

    @Override
    public ShardFeature onShard(ShardBinding shard) {
      List<Argument> arguments = expression.arguments();
      @Nullable WindowValues[] fields = new WindowValues[arguments.size()];
      for (int i = 0; i < fields.length; i++) {
        String field = arguments.get(i).field();
        if (field != null) {
          fields[i] = FieldValues.of(field, new FieldReading.Numbers(Aggregate.MIN), shard);
        }
      }
      return new Values(shard.expressions().get(expression.source()), modifiers, arguments, fields);
    }
  }

  /**
   * A source of the expression's values, which it computes from columns of other features, and from
   * fields.
   *
   * @param fields for each argument of the expression, the source of the field's values; null if
   *     the argument is not a field
   */
  @SuppressWarnings("ArrayRecordComponent") // instances are never compared
  private record Values(
      FeatureExpression expression,
      Modifiers modifiers,
      List<Argument> arguments,
      @Nullable WindowValues[] fields)
      implements ShardFeature.Computed {
    @Override
    public void fill(Extraction extraction, Column target) throws IOException {
      extraction.cancellation().check();
      double[] values = extraction.scratch();
      InputColumn[] variables = variables(extraction);
      DoubleValues[] inputs = variables;
      for (int place = 0; place < values.length; place++) {
        for (InputColumn variable : variables) {
          variable.moveTo(place);
        }
        values[place] = expression.compiled().evaluate(inputs);
      }
      modifiers.store(values, target);
    }

    private InputColumn[] variables(Extraction extraction) throws IOException {
      InputColumn[] variables = new InputColumn[arguments.size()];
      for (int i = 0; i < variables.length; i++) {
        Argument argument = arguments.get(i);
        WindowValues field = fields[i];
        if (field != null) {
          double[] doubles = new double[extraction.window().size()];
          field.read(extraction.searcher(), extraction.window(), doubles);
          variables[i] = new InputColumn(doubles);
        } else if (argument.isColumn()) {
          variables[i] = new InputColumn(extraction.input(argument.column()));
        } else {
          variables[i] = new InputColumn(argument.number());
        }
      }
      return variables;
    }

    @Override
    public List<ShardFeature.Input> inputs(Extraction extraction) throws IOException {
      InputColumn[] variables = variables(extraction);
      List<ShardFeature.Input> read = new ArrayList<>();
      for (int i = 0; i < variables.length; i++) {
        variables[i].moveTo(0);
        read.add(
            new ShardFeature.Input(
                expression.variables().get(i).toString(), variables[i].doubleValue()));
      }
      return read;
    }
  }
}
