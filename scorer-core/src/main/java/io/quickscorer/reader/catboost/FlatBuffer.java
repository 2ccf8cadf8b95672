// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads a FlatBuffers buffer, in which a table of offsets leads to the fields of each table. Every
 * position is checked before it is read.
 *
 * <p>Positions are byte offsets in the model file. Several references can lead to the same bytes,
 * so that a small file could need much memory. Therefore the sizes of all vectors and strings that
 * are read are added, and the sum must not exceed the size of the buffer.
 */
final class FlatBuffer {
  /** The result of {@link #field} for a field that the table does not have. */
  static final int ABSENT = 0;

  private static final int VTABLE_HEADER = 2 * Short.BYTES;

  private final BoundedInput input;
  private final ByteBuffer bytes;
  private final int start;
  private final int end;
  private long unread;

  /** Creates a reader of the buffer in bytes [start, end) of a file. */
  FlatBuffer(BoundedInput input, int start, int end) {
    this.input = input;
    this.bytes = ByteBuffer.wrap(input.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    this.start = start;
    this.end = end;
    this.unread = end - start;
  }

  /** Returns the byte offset of the root table. */
  int root() {
    return target(start, "root");
  }

  /** Returns the byte offset of field number {@code slot} of a table, or {@link #ABSENT}. */
  int field(int table, int slot, String what) {
    need(table, Integer.BYTES, what);
    long vtable = (long) table - bytes.getInt(table);
    need(vtable, VTABLE_HEADER, what);
    int size = bytes.getShort((int) vtable) & 0xffff;
    need(vtable, size, what);
    int entry = VTABLE_HEADER + slot * Short.BYTES;
    if (entry + Short.BYTES > size) {
      return ABSENT;
    }
    int offset = bytes.getShort((int) vtable + entry) & 0xffff;
    return offset == 0 ? ABSENT : table + offset;
  }

  /** Returns the offset of the table, vector or string to which a reference leads. */
  int target(int at, String what) {
    need(at, Integer.BYTES, what);
    long target = at + (bytes.getInt(at) & 0xffff_ffffL);
    need(target, Integer.BYTES, what);
    return (int) target;
  }

  /**
   * A vector (array) of the buffer.
   *
   * @param length the number of elements
   * @param first the byte offset of the first element; undefined if there is none
   */
  record Vector(int length, int first) {}

  /**
   * Returns the vector to which field number {@code slot} of a table leads; an empty vector if the
   * field is absent.
   */
  Vector vector(int table, int slot, int elementBytes, String what) {
    return vector(field(table, slot, what), elementBytes, what);
  }

  private Vector vector(int field, int elementBytes, String what) {
    if (field == ABSENT) {
      return new Vector(0, 0);
    }
    int vector = target(field, what);
    long length = bytes.getInt(vector) & 0xffff_ffffL;
    long size = length * elementBytes;
    need(vector + (long) Integer.BYTES, size, what + ": " + length + " elements");
    unread -= size;
    if (unread < 0) {
      throw failure(
          vector,
          what
              + ": the vectors and strings read so far have more bytes than this part of the file,"
              + " so at least two of them share bytes");
    }
    return new Vector((int) length, vector + Integer.BYTES);
  }

  /** Returns the text to which a field leads; an empty text if the field is absent. */
  String string(int field, String what) {
    Vector text = vector(field, 1, what);
    return input.text(text.first, text.first + text.length);
  }

  /** Returns the text in a field of a table; an empty text if the field is absent. */
  String string(int table, int slot, String what) {
    return string(field(table, slot, what), what);
  }

  /** Returns the integer in a field of a table, or {@code absent} if the field is absent. */
  int intOf(int table, int slot, int absent, String what) {
    int field = field(table, slot, what);
    return field == ABSENT ? absent : intAt(field, what);
  }

  /** Returns the byte in a field of a table, or 0 if the field is absent. */
  int byteOf(int table, int slot, String what) {
    int field = field(table, slot, what);
    return field == ABSENT ? 0 : byteAt(field, what);
  }

  /** Returns the float in a field of a table, or {@code absent} if the field is absent. */
  float floatOf(int table, int slot, float absent, String what) {
    int field = field(table, slot, what);
    return field == ABSENT ? absent : floatAt(field, what);
  }

  /** Returns the double in a field of a table, or {@code absent} if the field is absent. */
  double doubleOf(int table, int slot, double absent, String what) {
    int field = field(table, slot, what);
    return field == ABSENT ? absent : doubleAt(field, what);
  }

  int byteAt(int at, String what) {
    need(at, 1, what);
    return bytes.get(at);
  }

  /** Returns the two bytes at a byte offset as an unsigned number. */
  int shortAt(int at, String what) {
    need(at, Short.BYTES, what);
    return bytes.getShort(at) & 0xffff;
  }

  int intAt(int at, String what) {
    need(at, Integer.BYTES, what);
    return bytes.getInt(at);
  }

  long longAt(int at, String what) {
    need(at, Long.BYTES, what);
    return bytes.getLong(at);
  }

  float floatAt(int at, String what) {
    need(at, Float.BYTES, what);
    return bytes.getFloat(at);
  }

  double doubleAt(int at, String what) {
    need(at, Double.BYTES, what);
    return bytes.getDouble(at);
  }

  /** Checks that bytes [at, at + size) are within the buffer. */
  private void need(long at, long size, String what) {
    if (at < start || size < 0 || at > end - size) {
      throw failure(
          Math.max(start, Math.min(at, end)),
          what
              + ": needs "
              + size
              + " bytes at offset "
              + at
              + ", but the data is at offsets "
              + start
              + ".."
              + end);
    }
  }

  /**
   * Returns {@code number} if it is in [0, end), otherwise throws an exception with the byte offset
   * {@code at}.
   */
  int index(int at, String what, int number, int end) {
    if (number < 0 || number >= end) {
      throw failure(at, what + " " + number + ", expected 0.." + (end - 1));
    }
    return number;
  }

  InvalidModelException failure(long at, String what) {
    return InvalidModelException.at(at, what);
  }
}
