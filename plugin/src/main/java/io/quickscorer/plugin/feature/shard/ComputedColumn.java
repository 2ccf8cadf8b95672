package io.quickscorer.plugin.feature.shard;

import io.quickscorer.plugin.feature.bound.BoundFeature;
import io.quickscorer.plugin.feature.set.Aggregate;
import io.quickscorer.plugin.feature.set.FeatureExpression;
import io.quickscorer.plugin.feature.set.FieldReading;
import io.quickscorer.plugin.feature.window.Column;
import io.quickscorer.plugin.feature.window.InputColumn;
import io.quickscorer.plugin.feature.window.Window;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.DoubleValues;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.query.QueryShardContext;

/** An expression's values, from columns that are there already and from fields. */
final class ComputedColumn {
  private final FeatureExpression expression;
  private final List<BoundFeature.Input> inputs;

  /** Per input the field's values, null if it is something else. */
  private final @Nullable DocumentValues[] fields;

  private ComputedColumn(
      FeatureExpression expression,
      List<BoundFeature.Input> inputs,
      @Nullable DocumentValues[] fields) {
    this.expression = expression;
    this.inputs = inputs;
    this.fields = fields;
  }

  static ComputedColumn of(
      BoundFeature.Computed feature, FeatureExpression expression, QueryShardContext context) {
    List<BoundFeature.Input> inputs = feature.inputs();
    @Nullable DocumentValues[] fields = new DocumentValues[inputs.size()];
    for (int i = 0; i < fields.length; i++) {
      if (inputs.get(i) instanceof BoundFeature.Input.Field field) {
        fields[i] = FieldValues.of(field.field(), new FieldReading.Numbers(Aggregate.MIN), context);
      }
    }
    return new ComputedColumn(expression, inputs, fields);
  }

  /**
   * @param columns the set's columns, those of the inputs filled
   */
  void read(IndexSearcher searcher, Window window, @Nullable Column[] columns, double[] values)
      throws IOException {
    InputColumn[] variables = variables(searcher, window, columns);
    DoubleValues[] arguments = variables;
    for (int place = 0; place < window.size(); place++) {
      for (InputColumn variable : variables) {
        variable.moveTo(place);
      }
      values[place] = expression.compiled().evaluate(arguments);
    }
  }

  private InputColumn[] variables(IndexSearcher searcher, Window window, @Nullable Column[] columns)
      throws IOException {
    InputColumn[] variables = new InputColumn[inputs.size()];
    for (int i = 0; i < variables.length; i++) {
      variables[i] =
          switch (inputs.get(i)) {
            case BoundFeature.Input.Number number -> new InputColumn(number.value());
            case BoundFeature.Input.Feature feature -> {
              Column column = columns[feature.place()];
              if (column == null) {
                throw new IllegalStateException("an input that was not computed");
              }
              yield new InputColumn(column);
            }
            case BoundFeature.Input.Field ignored -> {
              double[] doubles = new double[window.size()];
              DocumentValues field = fields[i];
              if (field != null) {
                field.read(searcher, window, doubles);
              }
              yield new InputColumn(doubles);
            }
          };
    }
    return variables;
  }

  /**
   * What the expression reads for a window's first document.
   *
   * @param columns as for {@link #read}
   */
  List<ShardFeatures.Input> inputs(
      IndexSearcher searcher, Window window, @Nullable Column[] columns) throws IOException {
    InputColumn[] variables = variables(searcher, window, columns);
    List<ShardFeatures.Input> read = new ArrayList<>();
    for (int i = 0; i < variables.length; i++) {
      variables[i].moveTo(0);
      read.add(
          new ShardFeatures.Input(
              expression.variables().get(i).toString(), variables[i].doubleValue()));
    }
    return read;
  }
}
