// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * CatBoost's hash of a category: the lowest 32 bits of CityHash64 of the category's text in UTF-8.
 * This is version 1.0, which Geoff Pike and Jyrki Alakuijala published in 2011; later versions have
 * other results.
 */
public final class CategoryHash {
  /**
   * Largest number that can be a category. Floats represent all integers up to this number plus 1
   * exactly.
   */
  public static final int MAX_CATEGORY = (1 << 24) - 1;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long K0 = 0xc3a5c85c97cb3127L;
  private static final long K1 = 0xb492b66fbe98f273L;
  private static final long K2 = 0x9ae16a3b2f90404fL;
  private static final long K3 = 0xc949d7c7509e6557L;
  private static final long MULTIPLIER = 0x9ddfea08eb382d69L;

  /** Size, in bytes, of the blocks in which texts of over 64 bytes are hashed. */
  private static final int BLOCK = 64;

  private CategoryHash() {}

  /** Returns the hash of a category given as text. */
  public static int of(String category) {
    return (int) ofBytes(category.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Returns the hash of a category given as a number, whose text is its decimal digits.
   *
   * @param category the number, 0 to {@link #MAX_CATEGORY}
   */
  public static int of(int category) {
    // The digits are the bytes of a little-endian number, so the first digit is the lowest byte.
    long text = 0;
    int length = 0;
    int rest = category;
    do {
      text = text << Byte.SIZE | ('0' + rest % 10);
      rest /= 10;
      length++;
    } while (rest > 0);
    return (int) (length < Integer.BYTES ? ofShort(text, length) : ofLonger(text, length));
  }

  private static long ofShort(long text, int length) {
    long first = text & 0xff;
    long middle = text >>> (length >> 1) * Byte.SIZE & 0xff;
    long last = text >>> (length - 1) * Byte.SIZE;
    return shifted((first + (middle << Byte.SIZE)) * K2 ^ (length + (last << 2)) * K3) * K2;
  }

  private static long ofLonger(long text, int length) {
    long first = length + ((text & 0xffff_ffffL) << 3);
    return mix(first, text >>> (length - Integer.BYTES) * Byte.SIZE);
  }

  private static long ofBytes(byte[] text) {
    int length = text.length;
    if (length == 0) {
      return K2;
    }
    if (length <= Long.BYTES) {
      long number = 0;
      for (int i = length - 1; i >= 0; i--) {
        number = number << Byte.SIZE | text[i] & 0xff;
      }
      return length < Integer.BYTES ? ofShort(number, length) : ofLonger(number, length);
    }
    if (length <= 16) {
      long a = longAt(text, 0);
      long b = longAt(text, length - 8);
      return mix(a, Long.rotateRight(b + length, length)) ^ b;
    }
    if (length <= 32) {
      long a = longAt(text, 0) * K1;
      long b = longAt(text, 8);
      long c = longAt(text, length - 8) * K2;
      long d = longAt(text, length - 16) * K0;
      return mix(
          Long.rotateRight(a - b, 43) + Long.rotateRight(c, 30) + d,
          a + Long.rotateRight(b ^ K3, 20) - c + length);
    }
    return length <= BLOCK ? ofHalves(text) : ofBlocks(text);
  }

  /** Hashes a text of 33 to 64 bytes: mixes its two halves separately, then combines them. */
  private static long ofHalves(byte[] text) {
    int length = text.length;
    long z = longAt(text, 24);
    long a = longAt(text, 0) + (length + longAt(text, length - 16)) * K0;
    long b = Long.rotateRight(a + z, 52);
    long c = Long.rotateRight(a, 37);
    a += longAt(text, 8);
    c += Long.rotateRight(a, 7);
    a += longAt(text, 16);
    long vf = a + z;
    long vs = b + Long.rotateRight(a, 31) + c;
    a = longAt(text, 16) + longAt(text, length - 32);
    z = longAt(text, length - 8);
    b = Long.rotateRight(a + z, 52);
    c = Long.rotateRight(a, 37);
    a += longAt(text, length - 24);
    c += Long.rotateRight(a, 7);
    a += longAt(text, length - 16);
    long wf = a + z;
    long ws = b + Long.rotateRight(a, 31) + c;
    return shifted(shifted((vf + ws) * K2 + (wf + vs) * K0) * K0 + vs) * K2;
  }

  private static long ofBlocks(byte[] text) {
    int length = text.length;
    long x = longAt(text, 0);
    long y = longAt(text, length - 16) ^ K1;
    long z = longAt(text, length - 56) ^ K0;
    long[] v = new long[2];
    long[] w = new long[2];
    weakly(text, length - 64, length, y, v);
    weakly(text, length - 32, length * K1, K0, w);
    z += shifted(v[1]) * K1;
    x = Long.rotateRight(z + x, 39) * K1;
    y = Long.rotateRight(y, 33) * K1;
    int end = (length - 1) & -BLOCK;
    for (int at = 0; at < end; at += BLOCK) {
      x = Long.rotateRight(x + y + v[0] + longAt(text, at + 16), 37) * K1;
      y = Long.rotateRight(y + v[1] + longAt(text, at + 48), 42) * K1;
      x ^= w[1];
      y ^= v[0];
      z = Long.rotateRight(z ^ w[0], 33);
      weakly(text, at, v[1] * K1, x + w[0], v);
      weakly(text, at + 32, z + w[1], y, w);
      long swapped = z;
      z = x;
      x = swapped;
    }
    return mix(mix(v[0], w[0]) + shifted(y) * K1 + z, mix(v[1], w[1]) + x);
  }

  /**
   * Mixes two numbers with 32 bytes of the text from index {@code at} on, and writes the two
   * results to {@code to}. The CityHash source calls this function {@code WeakHashLen32WithSeeds}.
   */
  private static void weakly(byte[] text, int at, long first, long second, long[] to) {
    long last = longAt(text, at + 24);
    long a = first + longAt(text, at);
    long b = Long.rotateRight(second + a + last, 21);
    long c = a;
    a += longAt(text, at + 8);
    a += longAt(text, at + 16);
    b += Long.rotateRight(a, 44);
    to[0] = a + last;
    to[1] = b + c;
  }

  private static long mix(long low, long high) {
    long mixed = shifted((low ^ high) * MULTIPLIER);
    return shifted((high ^ mixed) * MULTIPLIER) * MULTIPLIER;
  }

  private static long shifted(long bits) {
    return bits ^ bits >>> 47;
  }

  private static long longAt(byte[] text, int at) {
    return (long) LONGS.get(text, at);
  }
}
