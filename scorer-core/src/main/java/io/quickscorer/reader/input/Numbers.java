// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import io.quickscorer.ensemble.InvalidModelException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Parses numbers in ASCII, as C and C++ libraries print them. The result is rounded only once, to
 * the requested type.
 *
 * <p>{@code inf}, {@code infinity} and {@code nan} in upper or lower case are numbers. Hexadecimal
 * numbers and Java's suffixes, such as {@code 1f}, are not.
 */
public final class Numbers {
  /** Maximum number of characters of a number; libraries write at most 30. */
  public static final int MAX_LENGTH = 128;

  private static final int MAX_LONG_DIGITS = 18;

  /** Largest absolute value of an exponent. With a larger one, a number is 0 or infinite anyway. */
  private static final int MAX_EXPONENT = 10_000;

  private Numbers() {}

  /** Parses the double in bytes [start, end). */
  public static double parseDouble(byte[] bytes, int start, int end) {
    return parse(bytes, start, end, false);
  }

  /** Parses the float in bytes [start, end). */
  public static float parseFloat(byte[] bytes, int start, int end) {
    return (float) parse(bytes, start, end, true);
  }

  public static double doubleOf(String text, long offset) {
    return parseText(text, offset, false);
  }

  public static float floatOf(String text, long offset) {
    return (float) parseText(text, offset, true);
  }

  private static double parseText(String text, long offset, boolean toFloat) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    try {
      return parse(bytes, 0, bytes.length, toFloat);
    } catch (InvalidModelException e) {
      throw InvalidModelException.at(offset, "expected a number");
    }
  }

  public static long longOf(String text, long offset) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    try {
      return parseLong(bytes, 0, bytes.length);
    } catch (InvalidModelException e) {
      throw InvalidModelException.at(offset, "expected an integer");
    }
  }

  /** Returns the integer in bytes [start, end), which must have at most 18 digits. */
  public static long parseLong(byte[] bytes, int start, int end) {
    int first = start < end && bytes[start] == '-' ? start + 1 : start;
    boolean valid = first < end && end - first <= MAX_LONG_DIGITS;
    long digits = 0;
    for (int i = first; valid && i < end; i++) {
      valid = isDigit(bytes[i]);
      digits = digits * 10 + (bytes[i] - '0');
    }
    if (!valid) {
      throw InvalidModelException.at(start, "expected an integer");
    }
    return first > start ? -digits : digits;
  }

  /** Parses the integer in bytes [start, end), which must be in [min, max]. */
  public static int parseInt(byte[] bytes, int start, int end, int min, int max) {
    long value = parseLong(bytes, start, end);
    if (value < min || value > max) {
      throw InvalidModelException.at(start, "expected an integer in " + min + ".." + max);
    }
    return (int) value;
  }

  /**
   * Parses a number: an optional sign, digits with at most one point, and an optional exponent, or
   * a word for infinity or NaN.
   *
   * @param toFloat whether to round to float instead of double
   */
  private static double parse(byte[] bytes, int start, int end, boolean toFloat) {
    if (start >= end || end - start > MAX_LENGTH) {
      throw InvalidModelException.at(
          start, "found a number of " + (end - start) + " characters, expected 1.." + MAX_LENGTH);
    }
    boolean negative = bytes[start] == '-';
    int first = negative || bytes[start] == '+' ? start + 1 : start;
    int at = first;
    int point = -1;
    int significant = 0;
    long digits = 0;
    while (at < end && (isDigit(bytes[at]) || (bytes[at] == '.' && point < 0))) {
      if (bytes[at] == '.') {
        point = at;
      } else {
        digits = digits * 10 + (bytes[at] - '0');
        significant += significant > 0 || digits != 0 ? 1 : 0;
      }
      at++;
    }
    int exponent = point < 0 ? 0 : point + 1 - at;
    boolean valid = at - first > (point < 0 ? 0 : 1);
    if (valid && at < end && (bytes[at] | ' ') == 'e') {
      at++;
      boolean down = at < end && bytes[at] == '-';
      at += down || (at < end && bytes[at] == '+') ? 1 : 0;
      int written = 0;
      valid = at < end;
      while (at < end && isDigit(bytes[at])) {
        written = Math.min(MAX_EXPONENT, written * 10 + (bytes[at++] - '0'));
      }
      exponent += down ? -written : written;
    }
    if (!valid || at < end) {
      return special(bytes, start, end);
    }
    double value = Double.NaN;
    if (significant <= Decimals.MAX_DIGITS) {
      value = toFloat ? Decimals.toFloat(digits, exponent) : Decimals.toDouble(digits, exponent);
    }
    if (Double.isNaN(value)) {
      String text = new String(bytes, first, end - first, StandardCharsets.ISO_8859_1);
      value = toFloat ? Float.parseFloat(text) : Double.parseDouble(text);
    }
    return negative ? -value : value;
  }

  /**
   * Returns whether a byte is a digit. Uses one comparison, because the JIT may compile two
   * comparisons wrongly; see docs/jit-defects.md.
   */
  private static boolean isDigit(byte c) {
    return Integer.compareUnsigned(c - '0', 9) <= 0;
  }

  private static double special(byte[] bytes, int start, int end) {
    String text = new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    boolean signed = text.startsWith("-") || text.startsWith("+");
    return switch (text.substring(signed ? 1 : 0).toLowerCase(Locale.ROOT)) {
      case "inf", "infinity" ->
          text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      case "nan" -> Double.NaN;
      default -> throw InvalidModelException.at(start, "expected a number");
    };
  }
}
