// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.feature.LuceneExpression.Bound.Argument;
import io.quickscorer.plugin.feature.LuceneExpression.InputColumn;
import io.quickscorer.plugin.feature.LuceneExpression.Variable.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A feature whose value is a Lucene expression (a formula such as {@code ln(a) + b}) over other
 * features, fields and parameters, computed in double precision.
 */
record ExpressionFeature(String name, Modifiers modifiers, LuceneExpression expression)
    implements FeatureDefinition {
  static ExpressionFeature parse(String name, Modifiers modifiers, Options options) {
    return new ExpressionFeature(
        name, modifiers, LuceneExpression.compile(options.string("expression")));
  }

  @Override
  public void tell(Uses uses) {
    names(Kind.FIELD).forEach(field -> uses.field(field, true));
  }

  @Override
  public void optionsToXContent(XContentBuilder builder) throws IOException {
    builder.field("expression", expression.source());
  }

  @Override
  public Set<String> inputs() {
    return names(Kind.FEATURE);
  }

  private Set<String> names(Kind kind) {
    Set<String> names = new LinkedHashSet<>();
    for (LuceneExpression.Variable variable : expression.variables()) {
      if (variable.kind() == kind) {
        names.add(variable.name());
      }
    }
    return names;
  }

  /**
   * Inserts the request's parameters into the expression. If the expression reads no field or other
   * feature, returns a constant.
   */
  @Override
  public BoundFeature bind(RequestBinding request) throws IOException {
    LuceneExpression.Bound bound =
        LuceneExpression.Bound.of(expression, request.params(), Argument::ofField, request::place);
    List<Argument> arguments = bound.arguments();
    if (!arguments.stream().allMatch(Argument::isNumber)) {
      return new Bound(name, modifiers, bound);
    }
    double[] value = new double[1];
    expression.evaluate(
        arguments.stream()
            .map(argument -> new InputColumn(argument.number()))
            .toArray(InputColumn[]::new),
        value);
    return new BoundFeature.Constant(name, modifiers.apply(value[0]));
  }

  record Bound(String name, Modifiers modifiers, LuceneExpression.Bound expression)
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
      ShardFeature.@Nullable Source[] fields = new ShardFeature.Source[arguments.size()];
      for (int i = 0; i < fields.length; i++) {
        String field = arguments.get(i).field();
        if (field != null) {
          fields[i] = FieldValues.of(field, new FieldFeature.Reading.Numbers(Aggregate.MIN), shard);
        }
      }
      return new Values(shard.expressions().get(expression.source()), modifiers, arguments, fields);
    }
  }

  /**
   * Computes the expression for each hit on a shard.
   *
   * @param fields one element per variable: the reader of the field's values, or null if the
   *     variable is not a field
   */
  @SuppressWarnings("ArrayRecordComponent") // instances are never compared
  private record Values(
      LuceneExpression expression,
      Modifiers modifiers,
      List<Argument> arguments,
      @Nullable Source[] fields)
      implements ShardFeature.Computed {
    @Override
    public void fill(Extraction extraction, Column target) throws IOException {
      extraction.cancellation().check();
      double[] values = extraction.scratch();
      expression.evaluate(variables(extraction), values);
      modifiers.store(values, target);
    }

    private InputColumn[] variables(Extraction extraction) throws IOException {
      InputColumn[] variables = new InputColumn[arguments.size()];
      for (int i = 0; i < variables.length; i++) {
        Argument argument = arguments.get(i);
        Source field = fields[i];
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
    public List<Input> inputs(Extraction extraction) throws IOException {
      InputColumn[] variables = variables(extraction);
      List<Input> read = new ArrayList<>();
      for (int i = 0; i < variables.length; i++) {
        variables[i].moveTo(0);
        read.add(new Input(expression.variables().get(i).toString(), variables[i].doubleValue()));
      }
      return read;
    }
  }
}
