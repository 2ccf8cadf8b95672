// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

/**
 * Computes the natural logarithm of a float exactly as the C library of Linux (glibc 2.27 and
 * later) does. The result is not always the float nearest to the logarithm; the error is up to 0.82
 * ulp. XGBoost applies this function to the base score, so the bits of scores depend on it.
 *
 * <p>The method: x = 2^k z with z in [0.699, 1.398), a range that is divided into 16 parts. For
 * each part, a table has the reciprocal and the logarithm of a number c near its middle. So r = z /
 * c - 1 is small, and log(x) = k log(2) + log(c) + log1p(r), with a polynomial instead of log1p.
 * All is computed in double and rounded to float at the end. The method is that of Arm's Optimized
 * Routines; the table and the coefficients were found by a search and cannot be derived.
 *
 * <p>On some processors, the C library fuses multiplications and additions. This does not change
 * any result: both ways were compared for all floats.
 */
final class CLibraryLog {
  /** The lower end, 0.699, of the first of 16 parts of [0.699, 1.398), as the bits of a float. */
  private static final int FIRST = 0x3f330000;

  private static final int MANTISSA_BITS = 23;
  private static final int PARTS_BITS = 4;

  /** The factor 2^23, which makes every denormal (very small) float a normal float. */
  private static final float NORMALISING = 0x1p23f;

  private static final double LOG_2 = 0x1.62e42fefa39efp-1;

  /** For each of 16 parts of [0.699, 1.398), the reciprocal of a number c near its middle. */
  private static final double[] RECIPROCALS = {
    0x1.661ec79f8f3bep+0,
    0x1.571ed4aaf883dp+0,
    0x1.49539f0f010bp+0,
    0x1.3c995b0b80385p+0,
    0x1.30d190c8864a5p+0,
    0x1.25e227b0b8eap+0,
    0x1.1bb4a4a1a343fp+0,
    0x1.12358f08ae5bap+0,
    0x1.0953f419900a7p+0,
    0x1p+0,
    0x1.e608cfd9a47acp-1,
    0x1.ca4b31f026aap-1,
    0x1.b2036576afce6p-1,
    0x1.9c2d163a1aa2dp-1,
    0x1.886e6037841edp-1,
    0x1.767dcf5534862p-1
  };

  /** For each of 16 parts of [0.699, 1.398), the logarithm of a number c near its middle. */
  private static final double[] LOGARITHMS = {
    -0x1.57bf7808caadep-2,
    -0x1.2bef0a7c06ddbp-2,
    -0x1.01eae7f513a67p-2,
    -0x1.b31d8a68224e9p-3,
    -0x1.6574f0ac07758p-3,
    -0x1.1aa2bc79c81p-3,
    -0x1.a4e76ce8c0e5ep-4,
    -0x1.1973c5a611cccp-4,
    -0x1.252f438e10c1ep-5,
    0,
    0x1.aa5aa5df25984p-5,
    0x1.c5e53aa362eb4p-4,
    0x1.526e57720db08p-3,
    0x1.bc2860d22477p-3,
    0x1.1058bc8a07ee1p-2,
    0x1.4043057b6ee09p-2
  };

  // log1p(r) is about r + SQUARE r^2 + CUBE r^3 + FOURTH r^4.
  private static final double SQUARE = -0x1.ffffef20a4123p-2;
  private static final double CUBE = 0x1.5575b0be00b6ap-2;
  private static final double FOURTH = -0x1.00ea348b88334p-2;

  private CLibraryLog() {}

  /**
   * Returns the natural logarithm of a float; minus infinity for zeros, NaN for negative numbers
   * and NaN.
   */
  static float log(float x) {
    if (!(x > 0) || x == Float.POSITIVE_INFINITY) {
      return (float) Math.log(x);
    }
    boolean denormal = x < Float.MIN_NORMAL;
    int bits = Float.floatToRawIntBits(denormal ? x * NORMALISING : x);
    int fromFirst = bits - FIRST;
    int part = (fromFirst >>> (MANTISSA_BITS - PARTS_BITS)) & (RECIPROCALS.length - 1);
    int exponent = fromFirst >> MANTISSA_BITS;
    float z = Float.intBitsToFloat(bits - (exponent << MANTISSA_BITS));
    double k = denormal ? exponent - MANTISSA_BITS : exponent;
    double r = z * RECIPROCALS[part] - 1;
    double square = r * r;
    double high = LOGARITHMS[part] + k * LOG_2 + r;
    double low = FOURTH * square + (CUBE * r + SQUARE);
    return (float) (low * square + high);
  }
}
