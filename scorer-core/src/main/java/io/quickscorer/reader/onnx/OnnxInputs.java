// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import java.util.ArrayList;
import java.util.List;

/** What the trees are given: the path from the graph's inputs to the operator of trees. */
final class OnnxInputs {
  /** Operators on the way to the trees, and after them. */
  static final int MAX_CHAIN = 64;

  private final OnnxGraph graph;
  private final EnsembleLimits limits;
  private List<String> names = List.of();
  private int type;
  private long width;

  private OnnxInputs(OnnxGraph graph, EnsembleLimits limits) {
    this.graph = graph;
    this.limits = limits;
  }

  /** Follows the operator's input back to the graph's. */
  static OnnxInputs before(OnnxNode trees, OnnxGraph graph, EnsembleLimits limits) {
    OnnxInputs inputs = new OnnxInputs(graph, limits);
    inputs.read(trees);
    return inputs;
  }

  /** The features' names; none where the graph names only a row. */
  List<String> names() {
    return names;
  }

  /** An {@link OnnxTensor} element type. */
  int type() {
    return type;
  }

  /** The columns of a row, 0 where the graph does not say. */
  long width() {
    return width;
  }

  private void read(OnnxNode trees) {
    if (trees.inputs().size() != 1) {
      throw trees.failure(trees.inputs().size() + " inputs, expected one");
    }
    String value = trees.inputs().getFirst();
    for (int step = 0; step < MAX_CHAIN; step++) {
      OnnxGraph.Input input = graph.input(value);
      if (input != null) {
        take(trees, input);
        width = input.width();
        return;
      }
      OnnxNode node = graph.producerOf(value);
      if (node == null || node.inputs().isEmpty()) {
        throw trees.failure("its input comes from nowhere");
      }
      switch (node.operator()) {
        case "Cast" -> {
          long to = node.integer("to", OnnxTensor.FLOAT);
          if (to != OnnxTensor.FLOAT && to != OnnxTensor.DOUBLE) {
            throw node.failure("Cast of features to element type " + to + " is not supported");
          }
          type = type == 0 ? (int) to : type;
        }
        case "Identity" -> {}
        case "Concat" -> {
          readColumns(node);
          return;
        }
        default -> throw node.unsupported("before");
      }
      value = node.inputs().getFirst();
    }
    throw trees.failure("more than " + MAX_CHAIN + " operators before the trees");
  }

  /** Inputs of one column each, joined: their names are the features'. */
  private void readColumns(OnnxNode concat) {
    List<String> columns = new ArrayList<>();
    for (String name : concat.inputs()) {
      OnnxGraph.Input input = graph.input(name);
      if (input == null || input.width() != 1) {
        throw concat.failure("Concat of others than inputs with one column is not supported");
      }
      take(concat, input);
      columns.add(name);
    }
    limits.check("features", columns.size(), Limit.FEATURES);
    names = columns;
    width = columns.size();
  }

  private void take(OnnxNode node, OnnxGraph.Input input) {
    if (input.type() != OnnxTensor.FLOAT
        && input.type() != OnnxTensor.DOUBLE
        && input.type() != OnnxTensor.INT64
        && input.type() != OnnxTensor.INT32) {
      throw node.failure("input of element type " + input.type() + ", expected numbers");
    }
    type = type == 0 ? input.type() : type;
  }
}
