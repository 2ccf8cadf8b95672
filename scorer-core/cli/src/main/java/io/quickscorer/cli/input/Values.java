// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses feature values in data files. */
public final class Values {
  private static final int SHOWN = 20;

  private Values() {}

  /** Parses a number to look up in a list; booleans are 1 and 0, as in a data frame. */
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

  /** Parses the nearest float; empty, {@code nan} and {@code na} are missing. */
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
   * Parses the nearest double; empty, {@code nan} and {@code na} are NaN.
   *
   * @throws NumberFormatException if it is not a number
   */
  public static double number(String text) {
    String value = text.strip();
    Float special = special(value);
    return special == null ? Double.parseDouble(decimal(value)) : special;
  }

  /** Parses values written in letters; null for others. */
  private static @Nullable Float special(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "", "nan", "-nan", "na" -> Float.NaN;
      case "inf", "+inf", "infinity", "+infinity" -> Float.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Float.NEGATIVE_INFINITY;
      default -> null;
    };
  }

  /** Checks that a number is decimal: Java's own suffixes and hexadecimal numbers are refused. */
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
