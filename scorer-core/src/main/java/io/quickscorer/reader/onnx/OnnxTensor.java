// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;
import java.util.Arrays;

/**
 * The numbers of an ONNX tensor, without its shape.
 *
 * @param type the element type, as ONNX numbers it
 * @param values the numbers as doubles, in the order of the file
 */
record OnnxTensor(int type, double[] values) {
  public static final int FLOAT = 1;
  static final int UINT8 = 2;
  static final int INT32 = 6;
  static final int INT64 = 7;
  static final int STRING = 8;
  static final int DOUBLE = 11;

  /** Collects the numbers of a tensor. Its memory grows as numbers are added. */
  private static final class Values implements ProtoFields.Sink {
    private final int type;
    private double[] values = new double[4];
    private int size;

    Values(int type) {
      this.type = type;
    }

    @Override
    public void accept(long bits) {
      if (size == values.length) {
        values = Arrays.copyOf(values, size + (size >> 1));
      }
      values[size++] =
          switch (type) {
            case FLOAT -> Float.intBitsToFloat((int) bits);
            case DOUBLE -> Double.longBitsToDouble(bits);
            default -> bits;
          };
    }
  }

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
    Values values = new Values(type);
    ProtoFields fields = new ProtoFields(input, start, end);
    while (fields.next()) {
      switch (fields.field()) {
        case 4 -> fields.numbers(ProtoFields.FIXED32, values);
        case 5, 7, 11 -> fields.numbers(ProtoFields.VARINT, values);
        case 10 -> fields.numbers(ProtoFields.FIXED64, values);
        case 9 -> raw(input, fields.start(), fields.stop(), type, values);
        default -> {}
      }
    }
    return new OnnxTensor(type, Arrays.copyOf(values.values, values.size));
  }

  private static void raw(BoundedInput input, int start, int end, int type, Values to) {
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
      long bits = 0;
      for (int i = width - 1; i >= 0; i--) {
        bits = bits << 8 | input.at(at + i);
      }
      to.accept(type == INT32 ? (int) bits : bits);
    }
  }
}
