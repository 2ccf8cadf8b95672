// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.peers;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes one message of protocol buffers: fields by number, in the order they are given. */
final class Protobuf {
  private static final int VARINT = 0;
  private static final int LENGTH = 2;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  Protobuf integer(int field, long value) {
    varint((long) field << 3 | VARINT);
    varint(value);
    return this;
  }

  Protobuf string(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  Protobuf message(int field, Protobuf value) {
    return bytes(field, value.toByteArray());
  }

  /** Packed. */
  Protobuf floats(int field, float[] values) {
    ByteBuffer packed = ByteBuffer.allocate(values.length * Float.BYTES);
    packed.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(values);
    return bytes(field, packed.array());
  }

  /** Packed. */
  Protobuf integers(int field, int[] values) {
    Protobuf packed = new Protobuf();
    for (int value : values) {
      packed.varint(value);
    }
    return message(field, packed);
  }

  byte[] toByteArray() {
    return out.toByteArray();
  }

  private Protobuf bytes(int field, byte[] value) {
    varint((long) field << 3 | LENGTH);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
