// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import java.math.BigInteger;

/**
 * Computes the float or double that is nearest to {@code digits * 10^exponent}, in most cases by
 * one multiplication of 64 by 128 bits.
 *
 * <p>Source: D. Lemire, <i>Number Parsing at a Gigabyte per Second</i>, Software: Practice and
 * Experience 51 (2021), sections 5 to 9. The digits are multiplied by the upper 128 bits of
 * 5^exponent, which are truncated, or rounded up if the exponent is negative. The product
 * determines the rounding unless all its lower bits are ones. In that case, for subnormal and
 * infinite results, and for digits that do not fit into 64 bits, the caller must use {@link
 * Double#parseDouble(String)}.
 */
final class Decimals {
  /** Smallest exponent for which the paper by Lemire (see {@link Decimals}) proves correctness. */
  private static final int MIN_POWER = -342;

  /** Largest exponent for which the paper by Lemire (see {@link Decimals}) proves correctness. */
  private static final int MAX_POWER = 308;

  /** Every decimal number of at most this many digits fits into an unsigned long. */
  public static final int MAX_DIGITS = 19;

  /** The value that {@link #bits} returns if it cannot determine the rounding. */
  private static final long UNKNOWN = -1;

  private static final long[] HIGH = new long[MAX_POWER - MIN_POWER + 1];
  private static final long[] LOW = new long[MAX_POWER - MIN_POWER + 1];

  static {
    BigInteger power = BigInteger.ONE;
    for (int q = 0; q <= MAX_POWER; q++) {
      store(q, shiftedTo128(power));
      power = power.multiply(BigInteger.valueOf(5));
    }
    power = BigInteger.valueOf(5);
    for (int q = -1; q >= MIN_POWER; q--) {
      // The value 2^b / 5^-q, rounded up, with b chosen so that the quotient has 128 bits.
      int shift = power.bitLength() + 127;
      store(q, BigInteger.ONE.shiftLeft(shift).divide(power).add(BigInteger.ONE));
      power = power.multiply(BigInteger.valueOf(5));
    }
  }

  private Decimals() {}

  private static BigInteger shiftedTo128(BigInteger value) {
    int shift = 128 - value.bitLength();
    return shift >= 0 ? value.shiftLeft(shift) : value.shiftRight(-shift);
  }

  private static void store(int q, BigInteger bits) {
    HIGH[q - MIN_POWER] = bits.shiftRight(Long.SIZE).longValue();
    LOW[q - MIN_POWER] = bits.longValue();
  }

  /**
   * Returns the double nearest to {@code digits * 10^exponent}, or NaN if this method cannot
   * determine it.
   *
   * @param digits the digits as an unsigned number
   */
  public static double toDouble(long digits, int exponent) {
    // Both operands are exact, so the result is rounded only once (W. Clinger, 1990).
    if (digits >>> 53 == 0 && exponent >= -22 && exponent <= 22) {
      return exponent < 0 ? digits / EXACT[-exponent] : digits * EXACT[exponent];
    }
    long bits = bits(digits, exponent, 52, -1023, 0x7ff, -4, 23);
    return bits == UNKNOWN ? Double.NaN : Double.longBitsToDouble(bits);
  }

  /**
   * Returns the float nearest to {@code digits * 10^exponent}, or NaN if this method cannot
   * determine it.
   */
  public static float toFloat(long digits, int exponent) {
    long bits = bits(digits, exponent, 23, -127, 0xff, -17, 10);
    return bits == UNKNOWN ? Float.NaN : Float.intBitsToFloat((int) bits);
  }

  private static final double[] EXACT = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  /**
   * Returns the bits of the float or double that is nearest to {@code digits * 10^exponent}, or
   * {@link #UNKNOWN}.
   *
   * @param explicitBits the number of bits of the significand that the type stores
   * @param minExponent the exponent that the type stores as 0
   * @param infinite the stored exponent of infinity
   * @param minEven the smallest exponent with which the result can be exactly halfway between two
   *     numbers of the type
   * @param maxEven the largest exponent with which the result can be exactly halfway
   */
  private static long bits(
      long digits,
      int exponent,
      int explicitBits,
      int minExponent,
      int infinite,
      int minEven,
      int maxEven) {
    if (digits == 0) {
      return 0;
    }
    if (exponent < MIN_POWER || exponent > MAX_POWER) {
      return UNKNOWN;
    }
    int zeros = Long.numberOfLeadingZeros(digits);
    long shifted = digits << zeros;
    long factor = HIGH[exponent - MIN_POWER];
    long low = shifted * factor;
    long high = Math.unsignedMultiplyHigh(shifted, factor);
    long undecided = -1L >>> (explicitBits + 3);
    if ((high & undecided) == undecided) {
      long more = Math.unsignedMultiplyHigh(shifted, LOW[exponent - MIN_POWER]);
      low += more;
      if (Long.compareUnsigned(low, more) < 0) {
        high++;
      }
      if (low == -1) {
        return UNKNOWN;
      }
    }
    int upper = (int) (high >>> 63);
    int shift = upper + Long.SIZE - explicitBits - 3;
    long significand = high >>> shift;
    // The integer part of exponent * log2(10), plus the position of the product's highest bit.
    int power = ((152_170 + 65_536) * exponent >> 16) + 63 + upper - zeros - minExponent;
    boolean halfway =
        Long.compareUnsigned(low, 1) <= 0
            && exponent >= minEven
            && exponent <= maxEven
            && (significand & 3) == 1
            && significand << shift == high;
    significand += halfway ? 0 : significand & 1;
    significand >>>= 1;
    if (significand >= 2L << explicitBits) {
      significand = 1L << explicitBits;
      power++;
    }
    if (power <= 0 || power >= infinite) {
      return UNKNOWN;
    }
    return (long) power << explicitBits | (significand & ~(1L << explicitBits));
  }
}
