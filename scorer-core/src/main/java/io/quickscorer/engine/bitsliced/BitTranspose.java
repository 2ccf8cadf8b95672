// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/** Transposes squares of 8 x 8 bits: exchanges their rows and columns. */
final class BitTranspose {
  private static final long ODD = 0x5555_5555_5555_5555L;
  private static final long PAIRS = 0x3333_3333_3333_3333L;
  private static final long FOURS = 0x0F0F_0F0F_0F0F_0F0FL;

  private BitTranspose() {}

  /**
   * Exchanges rows and columns of eight squares of 8 x 8 bits at once.
   *
   * @param rows contains the squares: for k and i from 0 to 7, byte i of the long at index {@code
   *     first + k * stride} is row k of square i
   */
  static void transpose(long[] rows, int first, int stride) {
    long row0 = rows[first];
    long row1 = rows[first + stride];
    long row2 = rows[first + 2 * stride];
    long row3 = rows[first + 3 * stride];
    long row4 = rows[first + 4 * stride];
    long row5 = rows[first + 5 * stride];
    long row6 = rows[first + 6 * stride];
    long row7 = rows[first + 7 * stride];
    long bits = (row0 >>> 1 ^ row1) & ODD;
    row0 ^= bits << 1;
    row1 ^= bits;
    bits = (row2 >>> 1 ^ row3) & ODD;
    row2 ^= bits << 1;
    row3 ^= bits;
    bits = (row4 >>> 1 ^ row5) & ODD;
    row4 ^= bits << 1;
    row5 ^= bits;
    bits = (row6 >>> 1 ^ row7) & ODD;
    row6 ^= bits << 1;
    row7 ^= bits;
    bits = (row0 >>> 2 ^ row2) & PAIRS;
    row0 ^= bits << 2;
    row2 ^= bits;
    bits = (row1 >>> 2 ^ row3) & PAIRS;
    row1 ^= bits << 2;
    row3 ^= bits;
    bits = (row4 >>> 2 ^ row6) & PAIRS;
    row4 ^= bits << 2;
    row6 ^= bits;
    bits = (row5 >>> 2 ^ row7) & PAIRS;
    row5 ^= bits << 2;
    row7 ^= bits;
    bits = (row0 >>> 4 ^ row4) & FOURS;
    rows[first] = row0 ^ bits << 4;
    rows[first + 4 * stride] = row4 ^ bits;
    bits = (row1 >>> 4 ^ row5) & FOURS;
    rows[first + stride] = row1 ^ bits << 4;
    rows[first + 5 * stride] = row5 ^ bits;
    bits = (row2 >>> 4 ^ row6) & FOURS;
    rows[first + 2 * stride] = row2 ^ bits << 4;
    rows[first + 6 * stride] = row6 ^ bits;
    bits = (row3 >>> 4 ^ row7) & FOURS;
    rows[first + 3 * stride] = row3 ^ bits << 4;
    rows[first + 7 * stride] = row7 ^ bits;
  }
}
