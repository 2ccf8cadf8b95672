// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;

/**
 * The fields of one protocol buffers message, one after the other, never beyond its end. Messages
 * inside it are fields of bytes, of which the caller makes another instance: nothing recurses.
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

  /** The message in bytes [start, end). */
  public ProtoFields(BoundedInput input, int start, int end) {
    this.input = input;
    this.position = start;
    this.end = end;
  }

  /** Returns the message that is the current field. */
  public ProtoFields message() {
    expect(BYTES);
    return new ProtoFields(input, start, position);
  }

  /** Goes to the next field; false after the last one. */
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
          position, "a length of " + bytes + " bytes, but " + (end - position) + " are left");
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
    throw InvalidModelException.at(position, "a number does not end");
  }

  public int field() {
    return field;
  }

  public int wireType() {
    return wireType;
  }

  /** Returns the offset where the current field's content begins. */
  public int start() {
    return start;
  }

  /** Returns the offset where the current field's content ends. */
  public int stop() {
    return position;
  }

  /** Returns the current field as an integer. */
  public long number() {
    expect(VARINT);
    return number;
  }

  /** Returns the current field as text. */
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

  /** Receives each element of a repeated field of numbers. */
  public interface Sink {
    /**
     * @param bits a varint's value, or the bits of a fixed-width number
     */
    void accept(long bits);
  }

  /**
   * Hands on the current field's element, or its elements where they are packed.
   *
   * @param type the wire type of an element that is not packed
   */
  public void numbers(int type, Sink to) {
    if (wireType != BYTES) {
      expect(type);
      to.accept(type == VARINT ? number : fixed(start, position - start));
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
      throw InvalidModelException.at(start, "packed numbers: invalid length");
    }
    for (int at = start; at < position; at += width) {
      to.accept(fixed(at, width));
    }
  }

  private long fixed(int at, int width) {
    long bits = 0;
    for (int i = width - 1; i >= 0; i--) {
      bits = bits << 8 | input.at(at + i);
    }
    return bits;
  }
}
