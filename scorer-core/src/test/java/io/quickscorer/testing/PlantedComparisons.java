// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

/**
 * The pattern of JDK-8376400 in several forms, for the rule to find, and its like, which is right.
 */
final class PlantedComparisons {
  private static final int LOW = Float.floatToRawIntBits(1e-35f);
  private static final int HIGH = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

  private final int[] values = {1, 2, 3};

  private static int magnitude(float value) {
    return Float.floatToRawIntBits(value) & Integer.MAX_VALUE;
  }

  private static boolean isHigh(int value) {
    return value > HIGH;
  }

  private static boolean isHigh(float value) {
    return isHigh(magnitude(value));
  }

  private boolean isNegative(int i) {
    return values[i] < 0;
  }

  /** As the defect was found. */
  static long foundInLoop(float[] values) {
    long high = 0;
    long low = 0;
    for (int i = 0; i < values.length; i++) {
      high |= isHigh(values[i]) ? 1L << i : 0;
      low |= magnitude(values[i]) <= LOW ? 1L << i : 0;
    }
    return high ^ low;
  }

  static boolean foundInOneCondition(int value) {
    return isHigh(value) || value <= LOW;
  }

  int foundInInstance(int i) {
    if (isNegative(i)) {
      return -1;
    }
    return values[i] > 100 ? 1 : 0;
  }

  static int foundInVariable(int value, boolean also) {
    boolean high = value > 1000;
    if (also) {
      return high ? 1 : 2;
    }
    if (high) {
      return 3;
    }
    return value < 10 ? 4 : 5;
  }

  static int foundInSwitch(int value) {
    if (isHigh(value)) {
      return 1;
    }
    return switch (value) {
      case 1, 2, 3 -> 2;
      case 70 -> 3;
      default -> 4;
    };
  }

  static int foundInNumberOfHelper(int value) {
    if (Integer.compare(value, 70) > 0) {
      return 1;
    }
    return value < 7 ? 2 : 3;
  }

  static int foundInWidened(int value) {
    if (isHigh(value)) {
      return 1;
    }
    return (long) value < 7L ? 2 : 3;
  }

  /** Begins again before the first comparison. */
  static boolean rightAsTwoJumps(int value, int[] values) {
    return value < 0 || value >= values.length;
  }

  static long rightAsArithmetic(float value) {
    int magnitude = magnitude(value);
    return (HIGH - magnitude >>> 31) ^ (magnitude - LOW - 1 >>> 31);
  }

  static int rightAsUnsigned(int value) {
    if (Integer.compareUnsigned(value - 48, 9) <= 0) {
      return 1;
    }
    return value > 100 ? 2 : 3;
  }

  static int rightAsFloats(float value) {
    if (Float.isNaN(value)) {
      return 1;
    }
    return value <= 1e-35f ? 2 : 3;
  }

  static int rightAsAnotherValue(int value) {
    if (isHigh(value)) {
      return 1;
    }
    return value + 1 <= LOW ? 2 : 3;
  }
}
