// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.DerivedColumns;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds the input columns of the trees from the graph's inputs. Each is a feature, or a number
 * computed from several, and the steps that the graph applies to it.
 */
final class OnnxInputs {
  /** Maximum number of operators before the trees, and after them. */
  static final int MAX_CHAIN = 64;

  /**
   * A value of the graph.
   *
   * @param type of its elements
   * @param columns of a row, in order, regardless of shape
   * @param stacked whether there are several lists of columns, one after the other
   */
  record Value(int type, List<OnnxColumn> columns, boolean stacked) {}

  private static final Set<Integer> TYPES =
      Set.of(
          OnnxTensor.FLOAT,
          OnnxTensor.DOUBLE,
          OnnxTensor.INT32,
          OnnxTensor.INT64,
          OnnxTensor.STRING);

  private final OnnxNode trees;
  private final OnnxGraph graph;
  private final EnsembleLimits limits;
  private final OnnxSteps steps;
  private final Map<String, Value> known = new HashMap<>();

  /** Number of features of each input, by name, in the order of features. */
  private final Map<String, Integer> widths = new LinkedHashMap<>();

  private final Value given;
  private int features;
  private boolean joined;

  private OnnxInputs(OnnxNode trees, OnnxGraph graph, EnsembleLimits limits, int columns) {
    this.trees = trees;
    this.graph = graph;
    this.limits = limits;
    this.steps = new OnnxSteps(graph, limits);
    if (trees.inputs().size() != 1) {
      throw trees.failure(trees.inputs().size() + " inputs, expected one");
    }
    this.given = value(trees, trees.inputs().getFirst(), columns, 0);
    if (given.type == OnnxTensor.STRING) {
      throw trees.failure("its input has texts, expected numbers");
    }
  }

  /**
   * Follows the operator's input back to the graph's.
   *
   * @param columns minimum number that the trees test, for inputs of an unknown number of columns
   */
  static OnnxInputs before(OnnxNode trees, OnnxGraph graph, EnsembleLimits limits, int columns) {
    return new OnnxInputs(trees, graph, limits, columns);
  }

  /** Returns the number of features. */
  int features() {
    return features;
  }

  /** Returns the features' names; none if the graph only names a row. */
  List<String> names() {
    if (!joined) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    widths.forEach(
        (input, width) -> {
          for (int i = 0; i < width; i++) {
            names.add(width == 1 ? input : input + "_" + i);
          }
        });
    return names;
  }

  /** Returns the {@link OnnxTensor} element type of the trees' input. */
  int type() {
    return given.type;
  }

  /** Returns the columns of the trees; after the features come the {@link #derived} columns. */
  List<OnnxColumn> columns() {
    return OnnxColumn.view(
        given.columns.size(),
        i -> {
          OnnxColumn column = given.columns.get(i);
          return column.feature() >= 0
              ? column
              : new OnnxColumn(features + ~column.feature(), column.steps());
        });
  }

  /** Returns the columns that are computed from several features; null if there are none. */
  @Nullable DerivedColumns derived() {
    return steps.normalisations().isEmpty()
        ? null
        : new DerivedColumns(List.of(), Map.of(), steps.normalisations());
  }

  /** Returns the lists of the graph's encoders. */
  OnnxEncoders encoders() {
    return steps.encoders();
  }

  /**
   * Returns a value by its name.
   *
   * @param node that takes it
   * @param width number of columns it needs, for inputs of an unknown number; 0 for any number
   */
  private Value value(OnnxNode node, String name, int width, int depth) {
    Value value = known.get(name);
    if (value != null) {
      return value;
    }
    if (depth >= MAX_CHAIN) {
      throw trees.failure("more than " + MAX_CHAIN + " operators before the trees");
    }
    OnnxGraph.Input input = graph.input(name);
    if (input != null) {
      value = take(node, input, width);
    } else {
      OnnxNode made = graph.producerOf(name);
      if (made == null || made.inputs().isEmpty()) {
        throw trees.failure("its input is neither an operator's output nor an input of the graph");
      }
      value = made(made, width, depth);
    }
    known.put(name, value);
    return value;
  }

  private Value made(OnnxNode node, int width, int depth) {
    switch (node.operator()) {
      case "Concat", "FeatureVectorizer" -> {
        joined = true;
        List<Value> parts = new ArrayList<>();
        for (String part : node.inputs()) {
          parts.add(value(node, part, 0, depth + 1));
        }
        return steps.join(node, parts);
      }
      default -> {
        boolean second = steps.isSecond(node);
        String name = node.inputs().get(second ? 1 : 0);
        Value from = value(node, name, steps.width(node, width), depth + 1);
        return steps.apply(node, from, second);
      }
    }
  }

  private Value take(OnnxNode node, OnnxGraph.Input input, int width) {
    if (!TYPES.contains(input.type())) {
      throw node.failure(
          "its input has element type " + input.type() + ", expected numbers or texts");
    }
    long columns = input.width() > 0 ? input.width() : width;
    if (columns == 0) {
      throw node.failure("its input does not say how many columns it has");
    }
    int first = features;
    limits.check("features", first + columns, Limit.FEATURES);
    features = Math.addExact(features, (int) columns);
    widths.put(input.name(), (int) columns);
    return new Value(input.type(), consecutive(first, (int) columns), false);
  }

  /** Returns columns of consecutive features of the model. */
  private static List<OnnxColumn> consecutive(int first, int count) {
    return OnnxColumn.view(count, i -> new OnnxColumn(first + i, List.of()));
  }
}
