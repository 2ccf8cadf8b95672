// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses feature values in data files. */
public final class Values {
  private static final int SHOWN = 20;

  private Values() {}

  /** Parses a category that is a number. The texts true and false mean 1 and 0. */
  static double number(String text, long line) throws Failure {
    String value = text.strip();
    switch (value.toLowerCase(Locale.ROOT)) {
      case "true" -> {
        return 1;
      }
      case "false" -> {
        return 0;
      }
      default -> {
        return Float.isFinite(parse(value, line)) ? Double.parseDouble(value) : Double.NaN;
      }
    }
  }

  /** Parses a number as a float; NaN for an empty text, {@code nan} or {@code na}. */
  static float parse(String text, long line) throws Failure {
    String value = text.strip();
    try {
      Float special = special(value);
      return special == null ? Float.parseFloat(decimal(value)) : special;
    } catch (NumberFormatException e) {
      throw notANumber(value, line);
    }
  }

  /**
   * Parses a number as a double; NaN for an empty text, {@code nan} or {@code na}.
   *
   * @throws NumberFormatException if the text is not a number
   */
  public static double number(String text) {
    String value = text.strip();
    Float special = special(value);
    return special == null ? Double.parseDouble(decimal(value)) : special;
  }

  /** Returns the float for a text such as {@code nan} or {@code inf}; null for a number. */
  private static @Nullable Float special(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "", "nan", "-nan", "na" -> Float.NaN;
      case "inf", "+inf", "infinity", "+infinity" -> Float.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Float.NEGATIVE_INFINITY;
      default -> null;
    };
  }

  /**
   * Returns the text if it can be a decimal number.
   *
   * @throws NumberFormatException if it is hexadecimal or ends with a suffix of Java such as {@code
   *     f}
   */
  private static String decimal(String value) {
    char last = value.charAt(value.length() - 1);
    if (last != '.' && (last < '0' || last > '9')
        || value.indexOf('x') >= 0
        || value.indexOf('X') >= 0) {
      throw new NumberFormatException(value);
    }
    return value;
  }

  private static Failure notANumber(String value, long line) {
    String shown = value.length() > SHOWN ? value.substring(0, SHOWN) + "..." : value;
    return Failure.data(line, "expected a number, found \"" + shown + "\"");
  }
}
