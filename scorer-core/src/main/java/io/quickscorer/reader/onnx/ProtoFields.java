// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;
import java.util.function.LongConsumer;

/**
 * Reads the fields of one protocol buffers message, one after the other, and never past the end of
 * the message. An embedded message is a field of bytes. {@link #message} creates another instance
 * for it, so that this class is not recursive.
 *
 * @see <a href="https://protobuf.dev/programming-guides/encoding/">the wire format</a>
 */
final class ProtoFields {
  public static final int VARINT = 0;
  public static final int FIXED64 = 1;
  public static final int BYTES = 2;
  public static final int FIXED32 = 5;

  private static final int MAX_VARINT_BYTES = 10;

  private final BoundedInput input;
  private final int end;
  private int position;
  private int field;
  private int wireType;
  private long number;
  private int start;

  /** Creates a reader of the message in bytes [start, end). */
  public ProtoFields(BoundedInput input, int start, int end) {
    this.input = input;
    this.position = start;
    this.end = end;
  }

  public ProtoFields message() {
    expect(BYTES);
    return new ProtoFields(input, start, position);
  }

  /** Moves to the next field. Returns false after the last field. */
  public boolean next() {
    if (position == end) {
      return false;
    }
    int tagAt = position;
    long tag = varint();
    field = (int) (tag >>> 3);
    wireType = (int) (tag & 7);
    if (tag >>> 3 == 0 || tag >>> 32 != 0) {
      throw InvalidModelException.at(tagAt, "field number " + (tag >>> 3) + " is out of range");
    }
    start = position;
    switch (wireType) {
      case VARINT -> number = varint();
      case FIXED64 -> skip(Long.BYTES);
      case FIXED32 -> skip(Integer.BYTES);
      case BYTES -> {
        long length = varint();
        start = position;
        skip(length);
      }
      default ->
          throw InvalidModelException.at(tagAt, "wire type " + wireType + " is not supported");
    }
    return true;
  }

  private void skip(long bytes) {
    if (bytes < 0 || bytes > end - position) {
      throw InvalidModelException.at(
          position,
          "found a length of "
              + bytes
              + " bytes, but only "
              + (end - position)
              + " bytes are left");
    }
    position = Math.addExact(position, (int) bytes);
  }

  private long varint() {
    long value = 0;
    for (int i = 0; i < MAX_VARINT_BYTES && position < end; i++) {
      int next = input.at(position++);
      value |= (next & 0x7fL) << 7 * i;
      if (next < 0x80) {
        return value;
      }
    }
    throw InvalidModelException.at(position, "a variable-length number (varint) has no last byte");
  }

  public int field() {
    return field;
  }

  public int wireType() {
    return wireType;
  }

  /** Returns the byte offset at which the content of the current field starts. */
  public int start() {
    return start;
  }

  /** Returns the byte offset of the first byte after the content of the current field. */
  public int stop() {
    return position;
  }

  public long number() {
    expect(VARINT);
    return number;
  }

  public String text() {
    expect(BYTES);
    return input.text(start, position);
  }

  private void expect(int type) {
    if (wireType != type) {
      throw InvalidModelException.at(
          start, "field " + field + ": wire type " + wireType + ", expected " + type);
    }
  }

  /**
   * Passes the number in the current field to a receiver; if the field is packed, passes all its
   * numbers.
   *
   * @param type the wire type of an element that is not packed
   * @param to receives the value of each varint, or the bits of each number of fixed width
   */
  public void numbers(int type, LongConsumer to) {
    if (wireType != BYTES) {
      expect(type);
      to.accept(type == VARINT ? number : fixed(input, start, position - start));
      return;
    }
    if (type == VARINT) {
      ProtoFields packed = new ProtoFields(input, start, position);
      while (packed.position < packed.end) {
        to.accept(packed.varint());
      }
      return;
    }
    int width = type == FIXED32 ? Integer.BYTES : Long.BYTES;
    if ((position - start) % width != 0) {
      throw InvalidModelException.at(
          start,
          "packed numbers: found "
              + (position - start)
              + " bytes, expected a multiple of "
              + width);
    }
    for (int at = start; at < position; at += width) {
      to.accept(fixed(input, at, width));
    }
  }

  /** Returns the little-endian number in {@code width} bytes at an offset. */
  static long fixed(BoundedInput input, int at, int width) {
    long bits = 0;
    for (int i = width - 1; i >= 0; i--) {
      bits = bits << 8 | input.at(at + i);
    }
    return bits;
  }
}
