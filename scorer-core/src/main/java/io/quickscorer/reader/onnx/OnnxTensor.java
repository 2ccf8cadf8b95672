// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DoubleList;
import java.util.function.LongConsumer;

/**
 * The numbers of an ONNX tensor, without its shape.
 *
 * @param type the element type, a number that ONNX defines
 * @param values the numbers as doubles, in the order of the file
 */
record OnnxTensor(int type, double[] values) {
  public static final int FLOAT = 1;
  static final int UINT8 = 2;
  static final int INT32 = 6;
  static final int INT64 = 7;
  static final int STRING = 8;
  static final int DOUBLE = 11;

  /** Reads a tensor from a message TensorProto in bytes [start, end). */
  public static OnnxTensor read(BoundedInput input, int start, int end) {
    int type = 0;
    ProtoFields header = new ProtoFields(input, start, end);
    while (header.next()) {
      if (header.field() == 2) {
        type = (int) header.number();
      } else if (header.field() == 13 || header.field() == 14 && header.number() != 0) {
        throw InvalidModelException.at(
            start, "tensor: the data is in another file; save the model as one file");
      }
    }
    int elements = type;
    DoubleList values = new DoubleList();
    LongConsumer to = bits -> values.add(number(elements, bits));
    ProtoFields fields = new ProtoFields(input, start, end);
    while (fields.next()) {
      switch (fields.field()) {
        case 4 -> fields.numbers(ProtoFields.FIXED32, to);
        case 5, 7, 11 -> fields.numbers(ProtoFields.VARINT, to);
        case 10 -> fields.numbers(ProtoFields.FIXED64, to);
        case 9 -> raw(input, fields.start(), fields.stop(), type, to);
        default -> {}
      }
    }
    return new OnnxTensor(type, values.toArray());
  }

  private static double number(int type, long bits) {
    return switch (type) {
      case FLOAT -> Float.intBitsToFloat((int) bits);
      case DOUBLE -> Double.longBitsToDouble(bits);
      default -> bits;
    };
  }

  private static void raw(BoundedInput input, int start, int end, int type, LongConsumer to) {
    int width =
        switch (type) {
          case FLOAT, INT32 -> Integer.BYTES;
          case DOUBLE, INT64 -> Long.BYTES;
          case UINT8 -> 1;
          default ->
              throw InvalidModelException.at(
                  start, "tensor: element type " + type + " is not supported");
        };
    if ((end - start) % width != 0) {
      throw InvalidModelException.at(
          start,
          "tensor: found " + (end - start) + " bytes of data, expected a multiple of " + width);
    }
    for (int at = start; at < end; at += width) {
      long bits = ProtoFields.fixed(input, at, width);
      to.accept(type == INT32 ? (int) bits : bits);
    }
  }
}
