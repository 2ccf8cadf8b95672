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
 * Determines the columns that the trees test, from the inputs of the graph. A column has the values
 * of one feature, or is computed from several features. An {@link OnnxColumn} also lists the steps
 * that the graph then applies to these values.
 */
final class OnnxInputs {
  /** Maximum number of consecutive operators before the trees, and also after the trees. */
  static final int MAX_CHAIN = 64;

  /**
   * A value that the ONNX graph computes.
   *
   * @param type the element type, a number that ONNX defines
   * @param columns the columns, in their order, regardless of the value's shape
   * @param stacked whether the value has a dimension in addition to documents and columns, as after
   *     a OneHotEncoder of several columns
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

  /**
   * The number of features of each input of the graph, by the input's name, in the order of the
   * features.
   */
  private final Map<String, Integer> widths = new LinkedHashMap<>();

  private final Value given;
  private int features;
  private boolean joined;

  /**
   * Builds the columns that the trees test: follows the input of the trees back to the inputs of
   * the graph.
   *
   * @param columns the minimum number of columns that the trees need; used if the file does not
   *     contain the number of columns
   */
  OnnxInputs(OnnxNode trees, OnnxGraph graph, EnsembleLimits limits, int columns) {
    this.trees = trees;
    this.graph = graph;
    this.limits = limits;
    this.steps = new OnnxSteps(graph, limits);
    if (trees.inputs().size() != 1) {
      throw trees.failure(
          "the operator of the trees has " + trees.inputs().size() + " inputs, expected 1");
    }
    this.given = value(trees, trees.inputs().getFirst(), columns, 0);
    if (given.type == OnnxTensor.STRING) {
      throw trees.failure("the input of the trees has texts, expected numbers");
    }
  }

  int features() {
    return features;
  }

  /** Returns the names of the features; an empty list if one input contains all features. */
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

  /** Returns the element type of the trees' input, a number that ONNX defines. */
  int type() {
    return given.type;
  }

  /**
   * Returns the columns that the trees test. The numbers of {@link #derived} columns follow those
   * of the features.
   */
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

  /** Returns the encoders of the graph (such as OneHotEncoder), which contain lists of texts. */
  OnnxEncoders encoders() {
    return steps.encoders();
  }

  /**
   * Returns the value {@code name} of the graph, with its columns.
   *
   * @param node the operator whose input is the value
   * @param width the number of columns that the operator needs; used if the file does not contain
   *     the number; 0 if it is not known
   * @param depth the number of operators between the value and the trees
   */
  private Value value(OnnxNode node, String name, int width, int depth) {
    Value value = known.get(name);
    if (value != null) {
      return value;
    }
    if (depth >= MAX_CHAIN) {
      throw trees.failure(
          "found more than " + MAX_CHAIN + " consecutive operators before the trees");
    }
    OnnxGraph.Input input = graph.input(name);
    if (input != null) {
      value = take(node, input, width);
    } else {
      OnnxNode made = graph.producerOf(name);
      if (made == null || made.inputs().isEmpty()) {
        throw trees.failure(
            "an input of an operator is neither another operator's output nor an input of the"
                + " graph");
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
          "an input of the graph has element type " + input.type() + ", expected numbers or texts");
    }
    long columns = input.width() > 0 ? input.width() : width;
    if (columns == 0) {
      throw node.failure(
          "the file does not contain the number of columns of an input; export the model with the"
              + " shape of its inputs");
    }
    int first = features;
    limits.check("features", first + columns, Limit.FEATURES);
    features = Math.addExact(features, (int) columns);
    widths.put(input.name(), (int) columns);
    return new Value(input.type(), consecutive(first, (int) columns), false);
  }

  /** Returns one column for each of {@code count} consecutive features, unchanged by any step. */
  private static List<OnnxColumn> consecutive(int first, int count) {
    return OnnxColumn.view(count, i -> new OnnxColumn(first + i, List.of()));
  }
}
