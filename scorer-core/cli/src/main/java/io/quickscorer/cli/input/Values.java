// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import java.util.Locale;

/** Feature values as data files write them. */
public final class Values {
  private static final int SHOWN = 20;

  private Values() {}

  /** The float nearest to what is written; empty, {@code nan} and {@code na} are missing. */
  static float parse(String text, long line) throws Failure {
    String value = text.strip();
    switch (value.toLowerCase(Locale.ROOT)) {
      case "", "nan", "-nan", "na" -> {
        return Float.NaN;
      }
      case "inf", "+inf", "infinity", "+infinity" -> {
        return Float.POSITIVE_INFINITY;
      }
      case "-inf", "-infinity" -> {
        return Float.NEGATIVE_INFINITY;
      }
      default -> {
        char last = value.charAt(value.length() - 1);
        // Java's own suffixes and hexadecimal numbers are no data.
        if ((last >= '0' && last <= '9' || last == '.')
            && value.indexOf('x') < 0
            && value.indexOf('X') < 0) {
          try {
            return Float.parseFloat(value);
          } catch (NumberFormatException e) {
            throw notANumber(value, line);
          }
        }
        throw notANumber(value, line);
      }
    }
  }

  private static Failure notANumber(String value, long line) {
    String shown = value.length() > SHOWN ? value.substring(0, SHOWN) + "..." : value;
    return Failure.data(line, "expected a number, found \"" + shown + "\"");
  }
}
