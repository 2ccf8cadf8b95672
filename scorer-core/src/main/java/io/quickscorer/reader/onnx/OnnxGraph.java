// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The graph of an ONNX file: operators that are connected by the names of their values. */
final class OnnxGraph {
  /**
   * Maximum number of inputs, outputs and attributes of an operator, and of inputs, outputs and
   * constants of the graph.
   */
  static final int MAX_NAMES = 100_000;

  private static final int MAX_NODES = 10_000;
  private static final int MAX_IR_VERSION = 100;

  /**
   * An input of the ONNX graph.
   *
   * @param name the name of the value
   * @param type ONNX's number of the element type; 0 if the input is not a tensor
   * @param width the size of the last dimension; 0 if the file does not contain it
   */
  record Input(String name, int type, long width) {}

  private final BoundedInput input;
  private final List<OnnxNode> nodes = new ArrayList<>();
  private final Map<String, Input> inputs = new HashMap<>();
  private final List<String> outputs = new ArrayList<>();

  /** For each constant, by name, the byte offsets of the start and end of its protobuf message. */
  private final Map<String, int[]> constants = new HashMap<>();

  private String producer = "";
  private String producerVersion = "";

  private OnnxGraph(BoundedInput input) {
    this.input = input;
  }

  /** Returns whether a file can be an ONNX model: a ModelProto message with a graph. */
  static boolean recognises(BoundedInput input) {
    if (input.at(0) != 0x08 || input.at(1) < 1 || input.at(1) > MAX_IR_VERSION) {
      return false;
    }
    boolean graph = false;
    try {
      ProtoFields fields = new ProtoFields(input, 0, input.length());
      while (fields.next()) {
        graph |= fields.field() == 7 && fields.wireType() == ProtoFields.BYTES;
      }
    } catch (InvalidModelException e) {
      // A file that ends within the graph is recognised too, because reading it fails with a better
      // message.
      return graph || input.at(2) == 0x12;
    }
    return graph;
  }

  static OnnxGraph read(BoundedInput input) {
    OnnxGraph graph = new OnnxGraph(input);
    boolean found = false;
    ProtoFields fields = new ProtoFields(input, 0, input.length());
    while (fields.next()) {
      switch (fields.field()) {
        case 2 -> graph.producer = fields.text();
        case 3 -> graph.producerVersion = fields.text();
        case 7 -> {
          graph.readGraph(fields.message());
          found = true;
        }
        default -> {}
      }
    }
    if (!found) {
      throw InvalidModelException.at(input.length(), "the file ends without a graph");
    }
    return graph;
  }

  private void readGraph(ProtoFields fields) {
    while (fields.next()) {
      switch (fields.field()) {
        case 1 -> nodes.add(OnnxNode.read(input, fields));
        case 5 -> readConstant(fields);
        case 11 -> {
          Input in = readInput(fields.message());
          inputs.putIfAbsent(in.name, in);
        }
        case 12 -> outputs.add(readInput(fields.message()).name);
        default -> {}
      }
      if (nodes.size() > MAX_NODES
          || inputs.size() + outputs.size() + constants.size() > MAX_NAMES) {
        throw InvalidModelException.at(
            fields.start(),
            "the graph has more than " + MAX_NODES + " operators or " + MAX_NAMES + " values");
      }
    }
  }

  private void readConstant(ProtoFields fields) {
    ProtoFields tensor = fields.message();
    while (tensor.next()) {
      if (tensor.field() == 8) {
        constants.put(tensor.text(), new int[] {fields.start(), fields.stop()});
      }
    }
  }

  private static Input readInput(ProtoFields info) {
    String name = "";
    int type = 0;
    long width = 0;
    while (info.next()) {
      if (info.field() == 1) {
        name = info.text();
      } else if (info.field() == 2) {
        ProtoFields kind = info.message();
        while (kind.next()) {
          if (kind.field() == 1) {
            ProtoFields tensor = kind.message();
            while (tensor.next()) {
              if (tensor.field() == 1) {
                type = (int) tensor.number();
              } else if (tensor.field() == 2) {
                width = lastDimension(tensor.message());
              }
            }
          }
        }
      }
    }
    return new Input(name, type, width);
  }

  private static long lastDimension(ProtoFields shape) {
    long last = 0;
    while (shape.next()) {
      if (shape.field() == 1) {
        last = 0;
        ProtoFields dimension = shape.message();
        while (dimension.next()) {
          last = dimension.field() == 1 ? dimension.number() : last;
        }
      }
    }
    return last;
  }

  /** Returns the name of the program that exported the model, as the file contains it. */
  String producer() {
    return producer;
  }

  String producerVersion() {
    return producerVersion;
  }

  List<OnnxNode> nodes() {
    return nodes;
  }

  /** Returns the graph's input with a name; null if it is a constant, or does not exist. */
  @Nullable Input input(String name) {
    return constants.containsKey(name) ? null : inputs.get(name);
  }

  boolean isOutput(String value) {
    return outputs.contains(value);
  }

  /** Returns the operator that computes the value with this name; null if there is none. */
  @Nullable OnnxNode producerOf(String value) {
    for (OnnxNode node : nodes) {
      if (node.outputs().contains(value)) {
        return node;
      }
    }
    return null;
  }

  /** Returns the operators that have the value with this name as an input. */
  List<OnnxNode> consumersOf(String value) {
    return nodes.stream().filter(node -> node.inputs().contains(value)).toList();
  }

  /** Returns the numbers of a constant; an empty array if there is no constant with this name. */
  double[] constant(String value) {
    OnnxNode made = producerOf(value);
    if (made != null && made.operator().equals("Constant")) {
      return made.tensor("value");
    }
    int[] range = constants.get(value);
    return range == null ? new double[0] : OnnxTensor.read(input, range[0], range[1]).values();
  }
}
