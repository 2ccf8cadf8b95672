// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads a FlatBuffers buffer: a table of offsets leads to the fields of each table. Every position
 * is checked before it is read.
 *
 * <p>Positions are byte offsets in the model file. Several references can lead to the same bytes.
 * Therefore the sizes of all vectors and strings that are read are added, and the sum must not
 * exceed the size of the buffer.
 */
final class FlatBuffer {
  /** The position that means that a field is absent. */
  public static final int ABSENT = 0;

  private static final int VTABLE_HEADER = 2 * Short.BYTES;

  private final BoundedInput input;
  private final ByteBuffer bytes;
  private final int start;
  private final int end;
  private long unread;

  /** Creates a reader of the buffer in bytes [start, end) of a file. */
  public FlatBuffer(BoundedInput input, int start, int end) {
    this.input = input;
    this.bytes = ByteBuffer.wrap(input.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    this.start = start;
    this.end = end;
    this.unread = end - start;
  }

  /** Returns the position of the root table. */
  public int root() {
    return target(start, "root");
  }

  /**
   * Returns the position of a field of a table, or {@link #ABSENT}.
   *
   * @param slot the number of the field
   * @param what the name of the field, for messages
   */
  public int field(int table, int slot, String what) {
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

  /**
   * Follows the offset at a position, and returns the position of the table, vector or string to
   * which it leads.
   *
   * @param what the name of the field, for messages
   */
  public int target(int at, String what) {
    need(at, Integer.BYTES, what);
    long target = at + (bytes.getInt(at) & 0xffff_ffffL);
    need(target, Integer.BYTES, what);
    return (int) target;
  }

  /**
   * Returns the number of elements of the vector to which a field leads; 0 if the field is absent.
   *
   * @param field the position of the field
   * @param what the name of the field, for messages
   */
  public int length(int field, int elementBytes, String what) {
    if (field == ABSENT) {
      return 0;
    }
    int vector = target(field, what);
    long length = bytes.getInt(vector) & 0xffff_ffffL;
    long size = length * elementBytes;
    need(vector + (long) Integer.BYTES, size, what + ": " + length + " elements");
    unread -= size;
    if (unread < 0) {
      throw failure(
          vector, what + ": the vectors and strings up to here have more bytes than the buffer");
    }
    return (int) length;
  }

  /**
   * Returns the position of the first element of the vector to which a field leads.
   *
   * @param field the position of the field
   * @param what the name of the field, for messages
   */
  public int elements(int field, String what) {
    return target(field, what) + Integer.BYTES;
  }

  public String string(int field, String what) {
    int length = length(field, 1, what);
    int at = length == 0 ? 0 : elements(field, what);
    return input.text(at, at + length);
  }

  public int byteAt(int at, String what) {
    need(at, 1, what);
    return bytes.get(at);
  }

  /** Reads two bytes as an unsigned number. */
  public int shortAt(int at, String what) {
    need(at, Short.BYTES, what);
    return bytes.getShort(at) & 0xffff;
  }

  public int intAt(int at, String what) {
    need(at, Integer.BYTES, what);
    return bytes.getInt(at);
  }

  public long longAt(int at, String what) {
    need(at, Long.BYTES, what);
    return bytes.getLong(at);
  }

  public float floatAt(int at, String what) {
    need(at, Float.BYTES, what);
    return bytes.getFloat(at);
  }

  public double doubleAt(int at, String what) {
    need(at, Double.BYTES, what);
    return bytes.getDouble(at);
  }

  /**
   * Checks that bytes [at, at + size) are within the buffer.
   *
   * @param what the name of the value, for messages
   */
  private void need(long at, long size, String what) {
    if (at < start || size < 0 || at > end - size) {
      throw failure(
          Math.max(start, Math.min(at, end)),
          what
              + ": found "
              + size
              + " bytes at "
              + at
              + ", but the data is at "
              + start
              + ".."
              + end);
    }
  }

  public InvalidModelException failure(long at, String what) {
    return InvalidModelException.at(at, what);
  }
}
