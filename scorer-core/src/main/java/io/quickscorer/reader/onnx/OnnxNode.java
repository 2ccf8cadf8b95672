// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DoubleList;
import io.quickscorer.reader.input.IntList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** One operator of an ONNX graph. Attributes are read from the file on demand. */
final class OnnxNode {
  private static final double[] NONE = {};

  private final BoundedInput input;
  private final int offset;
  private final List<String> inputs = new ArrayList<>();
  private final List<String> outputs = new ArrayList<>();
  private String operator = "";

  /** For each attribute, by name, the byte offsets of the start and end of its protobuf message. */
  private final Map<String, int[]> attributes = new HashMap<>();

  private OnnxNode(BoundedInput input, int offset) {
    this.input = input;
    this.offset = offset;
  }

  static OnnxNode read(BoundedInput input, ProtoFields fields) {
    OnnxNode node = new OnnxNode(input, fields.start());
    ProtoFields own = fields.message();
    while (own.next()) {
      switch (own.field()) {
        case 1 -> node.inputs.add(own.text());
        case 2 -> node.outputs.add(own.text());
        case 4 -> node.operator = own.text();
        case 5 -> node.addAttribute(own);
        default -> {}
      }
      if (node.inputs.size() + node.outputs.size() + node.attributes.size() > OnnxGraph.MAX_NAMES) {
        throw node.failure(
            "found more than " + OnnxGraph.MAX_NAMES + " inputs, outputs and attributes");
      }
    }
    return node;
  }

  private void addAttribute(ProtoFields fields) {
    ProtoFields attribute = fields.message();
    while (attribute.next()) {
      if (attribute.field() == 1
          && attributes.put(attribute.text(), new int[] {fields.start(), fields.stop()}) != null) {
        throw InvalidModelException.at(
            attribute.start(), "attribute: another attribute has the same name");
      }
    }
  }

  String operator() {
    return operator;
  }

  List<String> inputs() {
    return inputs;
  }

  List<String> outputs() {
    return outputs;
  }

  /** Returns the byte offset of the operator in the file. */
  int offset() {
    return offset;
  }

  InvalidModelException failure(String what) {
    return InvalidModelException.at(offset, what);
  }

  InvalidModelException unsupported(String where) {
    return failure(
        "operator "
            + InvalidModelException.shown(operator)
            + " "
            + where
            + " the trees is not supported");
  }

  /** Returns the exception for an operator that does not support texts as input. */
  InvalidModelException refusesTexts() {
    return failure(
        "operator "
            + InvalidModelException.shown(operator)
            + " before the trees: text values are not supported as its input");
  }

  private void eachField(String name, int wanted, Consumer<ProtoFields> reader) {
    int[] range = attributes.get(name);
    if (range != null) {
      ProtoFields fields = new ProtoFields(input, range[0], range[1]);
      while (fields.next()) {
        if (fields.field() == wanted) {
          reader.accept(fields);
        }
      }
    }
  }

  /** Returns the integers of an attribute; an empty array if the attribute is absent. */
  int[] integers(String name) {
    IntList values = new IntList();
    LongConsumer sink =
        bits -> {
          if (bits != (int) bits) {
            throw failure(name + ": " + bits + ", expected an integer of 32 bits");
          }
          values.add((int) bits);
        };
    eachField(name, 8, fields -> fields.numbers(ProtoFields.VARINT, sink));
    return values.toArray();
  }

  /** Returns the integer in an attribute, or {@code absent} if the operator lacks the attribute. */
  long integer(String name, long absent) {
    long[] value = {absent};
    eachField(name, 3, fields -> value[0] = fields.number());
    return value[0];
  }

  /** Returns the float of an attribute, or {@code absent} if the attribute is absent. */
  double number(String name, double absent) {
    double[] value = {absent};
    LongConsumer sink = bits -> value[0] = Float.intBitsToFloat((int) bits);
    eachField(name, 2, fields -> fields.numbers(ProtoFields.FIXED32, sink));
    return value[0];
  }

  /** Returns the text of an attribute; an empty text if the attribute is absent. */
  String text(String name) {
    String[] value = {""};
    eachField(name, 4, fields -> value[0] = fields.text());
    return value[0];
  }

  /**
   * Returns the floats of an attribute. If it is absent or empty, returns the numbers of the
   * attribute with this name and the suffix {@code _as_tensor}.
   */
  double[] numbers(String name) {
    DoubleList values = new DoubleList();
    LongConsumer sink = bits -> values.add(Float.intBitsToFloat((int) bits));
    eachField(name, 7, fields -> fields.numbers(ProtoFields.FIXED32, sink));
    return values.size() == 0 ? tensor(name + "_as_tensor") : values.toArray();
  }

  /** Returns the numbers of an attribute that is a tensor; an empty array if it is absent. */
  double[] tensor(String name) {
    double[][] values = {NONE};
    eachField(
        name,
        5,
        fields -> values[0] = OnnxTensor.read(input, fields.start(), fields.stop()).values());
    return values[0];
  }

  /**
   * Returns, for each text of an attribute, its index in {@code known}. Every text must be in
   * {@code known}.
   */
  int[] choices(String name, List<String> known) {
    IntList values = new IntList();
    eachField(
        name,
        9,
        fields -> {
          int length = fields.stop() - fields.start();
          int choice = 0;
          while (choice < known.size()
              && !(known.get(choice).length() == length
                  && input.startsWith(fields.start(), known.get(choice)))) {
            choice++;
          }
          if (choice == known.size()) {
            throw InvalidModelException.at(
                fields.start(), name + ": expected one of " + String.join(", ", known));
          }
          values.add(choice);
        });
    return values.toArray();
  }

  /** Returns the texts of an attribute; an empty list if the attribute is absent. */
  List<String> texts(String name) {
    List<String> values = new ArrayList<>();
    eachField(name, 9, fields -> values.add(fields.text()));
    return values;
  }

  /** Returns the number of texts in an attribute. */
  int count(String name) {
    int[] count = {0};
    eachField(name, 9, fields -> count[0]++);
    return count[0];
  }
}
