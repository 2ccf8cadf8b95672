// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.testing.Seeds;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers are read as {@link Double#parseDouble} and {@link Float#parseFloat} read them. */
final class NumbersTest {
  private static final int STRINGS = 150_000;

  private static void check(String text) {
    byte[] bytes = (" " + text + " ").getBytes(StandardCharsets.ISO_8859_1);
    assertEquals(
        Double.doubleToRawLongBits(Double.parseDouble(text)),
        Double.doubleToRawLongBits(Numbers.parseDouble(bytes, 1, bytes.length - 1)),
        text);
    assertEquals(
        Float.floatToRawIntBits(Float.parseFloat(text)),
        Float.floatToRawIntBits(Numbers.parseFloat(bytes, 1, bytes.length - 1)),
        text);
  }

  @Test
  void printedDoublesAndFloats() {
    SplittableRandom random = Seeds.random("printed");
    for (int i = 0; i < STRINGS * Seeds.iterations(); i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      float single = Float.intBitsToFloat(random.nextInt());
      if (Double.isFinite(value) && Float.isFinite(single)) {
        check(Double.toString(value));
        check(Float.toString(single));
      }
    }
  }

  /** As C prints them: {@code %.17g}, and the nine digits that a float needs. */
  @Test
  void cDigits() {
    SplittableRandom random = Seeds.random("digits");
    for (int i = 0; i < STRINGS / 4 * Seeds.iterations(); i++) {
      double value = random.nextDouble(-1, 1) * Math.pow(10, random.nextInt(-30, 30));
      check(String.format(Locale.ROOT, "%.16e", value));
      check(String.format(Locale.ROOT, "%.8e", value));
      check(new BigDecimal(value).setScale(17, RoundingMode.HALF_EVEN).toPlainString());
    }
  }

  @Test
  void randomDigits() {
    SplittableRandom random = Seeds.random("random digits");
    for (int i = 0; i < STRINGS * Seeds.iterations(); i++) {
      StringBuilder text = new StringBuilder(random.nextInt(3) == 0 ? "-" : "");
      int digits = 1 + random.nextInt(random.nextInt(5) == 0 ? 40 : 20);
      int point = random.nextInt(2 * digits);
      for (int d = 0; d < digits; d++) {
        text.append(d == point ? "." : "").append((char) ('0' + random.nextInt(10)));
      }
      if (random.nextBoolean()) {
        int range = random.nextBoolean() ? 30 : 350;
        text.append(random.nextBoolean() ? 'e' : 'E');
        text.append(random.nextInt(4) == 0 ? "+" : "").append(random.nextInt(0, range));
      } else if (random.nextBoolean()) {
        text.append("e-").append(random.nextInt(random.nextBoolean() ? 30 : 370));
      }
      check(text.toString());
    }
  }

  /** Exactly between two doubles or floats, and one digit beside it. */
  @Test
  void halfway() {
    SplittableRandom random = Seeds.random("halfway");
    for (int i = 0; i < STRINGS / 10 * Seeds.iterations(); i++) {
      double value = Math.scalb(1 + random.nextInt(1 << 20), random.nextInt(-30, 45));
      float single = (float) value;
      checkAround(new BigDecimal(value).add(new BigDecimal(Math.ulp(value) / 2)));
      checkAround(new BigDecimal(single).add(new BigDecimal(Math.ulp(single) / 2)));
    }
  }

  private static void checkAround(BigDecimal middle) {
    for (String text : new String[] {middle.toPlainString(), middle.toString()}) {
      if (text.length() < Numbers.MAX_LENGTH) {
        check(text);
      }
    }
    BigDecimal unit = middle.ulp();
    for (BigDecimal beside : new BigDecimal[] {middle.add(unit), middle.subtract(unit)}) {
      if (beside.toString().length() <= Numbers.MAX_LENGTH) {
        check(beside.toString());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "+0.0",
        "0e999",
        "-0e-999",
        "1e999",
        "-1e999",
        "1e-999",
        "00012.500",
        ".5",
        "5.",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "9007199254740993",
        "9007199254740992.5",
        "18446744073709551615",
        "18446744073709551616",
        "9999999999999999999",
        "1e22",
        "1e23",
        "123456789012345678e-5",
        "1.4e-45",
        "7e-46",
        "7.1e-46",
        "3.4028235e38",
        "3.4028236e38",
        "16777217",
        "16777216.5",
        "1.00000017881393432617187499",
        "1.00000017881393432617187500",
        "8.589973e9",
        "1e-342"
      })
  void edges(String text) {
    check(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"inf", "Infinity", "+INF", "-inf", "-Infinity", "nan", "-NaN"})
  void words(String text) {
    boolean nan = text.toLowerCase(Locale.ROOT).contains("nan");
    double infinite = text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    assertEquals(nan ? Double.NaN : infinite, Numbers.doubleOf(text, 0));
    assertEquals(nan ? Float.NaN : (float) infinite, Numbers.floatOf(text, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "-", "+", ".", "e5", "1e", "1e+", "1e-", "1.2.3", "1e5.0", "1f", "1d", "0x1p3", "1 2",
        "--1", "+-1", "1e5e5", "NaN0", "infinit", "1,5", "\u0661", "1_0"
      })
  void others(String text) {
    assertThrows(InvalidModelException.class, () -> Numbers.doubleOf(text, 0));
    assertThrows(InvalidModelException.class, () -> Numbers.floatOf(text, 0));
  }

  @Test
  void longNumbers() {
    String digits = "1".repeat(Numbers.MAX_LENGTH);
    assertEquals(Double.parseDouble(digits), Numbers.doubleOf(digits, 0));
    assertThrows(InvalidModelException.class, () -> Numbers.doubleOf(digits + "1", 0));
  }

  @Test
  void integers() {
    assertEquals(999_999_999_999_999_999L, Numbers.longOf("999999999999999999", 0));
    assertEquals(-7, Numbers.longOf("-7", 0));
    for (String text : new String[] {"", "-", "+1", "1.0", "1e3", "1000000000000000000", "- 1"}) {
      assertThrows(InvalidModelException.class, () -> Numbers.longOf(text, 0));
    }
    byte[] bytes = {'-', '4', '2'};
    assertEquals(-42, Numbers.parseInt(bytes, 0, 3, -42, 0));
    assertThrows(InvalidModelException.class, () -> Numbers.parseInt(bytes, 0, 3, -41, 0));
    assertThrows(InvalidModelException.class, () -> Numbers.parseInt(bytes, 1, 3, 0, 41));
  }

  private static void refused(String message, Executable parse) {
    assertEquals(message, assertThrows(InvalidModelException.class, parse).getMessage());
  }

  @Test
  void places() {
    byte[] bytes = "  x1 ".getBytes(StandardCharsets.ISO_8859_1);
    refused("byte 2: expected a number", () -> Numbers.parseDouble(bytes, 2, 4));
    refused("byte 2: expected an integer", () -> Numbers.parseLong(bytes, 2, 4));
    refused("byte 3: expected an integer in 2..9", () -> Numbers.parseInt(bytes, 3, 4, 2, 9));
    refused("byte 3: expected an integer in -1..0", () -> Numbers.parseInt(bytes, 3, 4, -1, 0));
    refused(
        "byte 3: found a number of 0 characters, expected 1..128",
        () -> Numbers.parseFloat(bytes, 3, 3));
    byte[] digits = " ".concat("1".repeat(129)).getBytes(StandardCharsets.ISO_8859_1);
    refused(
        "byte 1: found a number of 129 characters, expected 1..128",
        () -> Numbers.parseDouble(digits, 1, 130));
    refused("byte 77: expected a number", () -> Numbers.doubleOf("x", 77));
    refused("byte 77: expected a number", () -> Numbers.floatOf("x", 77));
    refused("byte 77: expected an integer", () -> Numbers.longOf("1.5", 77));
  }

  /** What lies beside the number is not looked at. */
  @Test
  void numbersEndWhereTheyAreSaidTo() {
    byte[] bytes = "-12.5e+12-".getBytes(StandardCharsets.ISO_8859_1);
    assertEquals(-12.5e+12, Numbers.parseDouble(bytes, 0, 9));
    assertEquals(12.5e1, Numbers.parseDouble(bytes, 1, 8));
    assertEquals(-12.5, Numbers.parseDouble(bytes, 0, 5));
    assertEquals(-12.0, Numbers.parseDouble(bytes, 0, 4));
    assertEquals(-1.0, Numbers.parseDouble(bytes, 0, 2));
    assertEquals(-12, Numbers.parseLong(bytes, 0, 3));
    assertEquals(2, Numbers.parseLong(bytes, 2, 3));
    for (int end : new int[] {6, 7, 10}) {
      refused("byte 0: expected a number", () -> Numbers.parseDouble(bytes, 0, end));
    }
  }
}
