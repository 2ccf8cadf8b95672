package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Numbers written in ASCII, as C and C++ libraries print them; rounded correctly, once, to the type
 * asked for.
 *
 * <p>{@code inf}, {@code infinity} and {@code nan} in any case are numbers; Java's own suffixes and
 * hexadecimal ones are not.
 */
final class Numbers {
  /** Characters of the longest number that is read; libraries write at most 30. */
  private static final int MAX_LENGTH = 128;

  private static final int MAX_LONG_DIGITS = 18;

  private Numbers() {}

  static double parseDouble(byte[] bytes, int start, int end) {
    return doubleOf(ascii(bytes, start, end), start);
  }

  static double doubleOf(String text, long offset) {
    return isDecimal(text, offset) ? Double.parseDouble(text) : special(text, offset);
  }

  static float floatOf(String text, long offset) {
    return isDecimal(text, offset) ? Float.parseFloat(text) : (float) special(text, offset);
  }

  static long longOf(String text, long offset) {
    int first = text.startsWith("-") ? 1 : 0;
    boolean valid = first < text.length() && text.length() - first <= MAX_LONG_DIGITS;
    for (int i = first; valid && i < text.length(); i++) {
      valid = isDigit(text.charAt(i));
    }
    if (!valid) {
      throw InvalidModelException.at(offset, "expected an integer");
    }
    return Long.parseLong(text);
  }

  /** The integer written in bytes [start, end), which must lie in [min, max]. */
  static int parseInt(byte[] bytes, int start, int end, int min, int max) {
    int first = start < end && bytes[start] == '-' ? start + 1 : start;
    boolean valid = first < end && end - first <= MAX_LONG_DIGITS;
    long digits = 0;
    for (int i = first; valid && i < end; i++) {
      valid = isDigit((char) bytes[i]);
      digits = digits * 10 + (bytes[i] - '0');
    }
    long value = first > start ? -digits : digits;
    if (!valid || value < min || value > max) {
      throw InvalidModelException.at(start, "expected an integer in " + min + ".." + max);
    }
    return (int) value;
  }

  private static String ascii(byte[] bytes, int start, int end) {
    if (start >= end || end - start > MAX_LENGTH) {
      throw tooLong(start, end - start);
    }
    return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
  }

  private static InvalidModelException tooLong(long offset, int length) {
    return InvalidModelException.at(
        offset, "number of " + length + " characters, expected 1.." + MAX_LENGTH);
  }

  private static boolean isDecimal(String text, long offset) {
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      throw tooLong(offset, text.length());
    }
    boolean digit = false;
    boolean exponent = false;
    boolean point = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isDigit(c)) {
        digit = true;
      } else if (c == '.' && !point && !exponent) {
        point = true;
      } else if (isExponent(c) && digit && !exponent) {
        exponent = true;
        digit = false;
      } else if (!((c == '-' || c == '+') && (i == 0 || isExponent(text.charAt(i - 1))))) {
        return false;
      }
    }
    return digit;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isExponent(char c) {
    return c == 'e' || c == 'E';
  }

  private static double special(String text, long offset) {
    boolean signed = text.startsWith("-") || text.startsWith("+");
    return switch (text.substring(signed ? 1 : 0).toLowerCase(Locale.ROOT)) {
      case "inf", "infinity" ->
          text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      case "nan" -> Double.NaN;
      default -> throw InvalidModelException.at(offset, "expected a number");
    };
  }
}
