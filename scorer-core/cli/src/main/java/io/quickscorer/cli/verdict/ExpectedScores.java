// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.verdict;

import io.quickscorer.cli.input.DataFile;
import io.quickscorer.ensemble.Accumulator;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Scores as a trainer printed them, one per line, and how far others are from them. */
final class ExpectedScores {
  /** Digits that tell any two floats, or doubles, apart. */
  private static final int FLOAT_DIGITS = 9;

  private static final int DOUBLE_DIGITS = 17;
  private static final int MAX_LENGTH = 64;
  private static final int MAX_SCALE = 400;

  private final List<BigDecimal> printed;
  private final double[] values;

  private ExpectedScores(List<BigDecimal> printed) {
    this.printed = printed;
    this.values = printed.stream().mapToDouble(BigDecimal::doubleValue).toArray();
  }

  /** The scores of a file; null if it holds something else, as several numbers in a line. */
  static @Nullable ExpectedScores read(Path file) throws IOException {
    List<BigDecimal> printed = new ArrayList<>();
    try (BufferedReader reader = DataFile.reader(file)) {
      String line;
      while ((line = reader.readLine()) != null) {
        String text = line.strip();
        if (!text.isEmpty()) {
          if (text.length() > MAX_LENGTH) {
            return null;
          }
          try {
            BigDecimal score = new BigDecimal(text);
            // No double is that large or small, but subtracting would write out the zeros.
            if (Math.abs(score.scale()) > MAX_SCALE) {
              return null;
            }
            printed.add(score);
          } catch (NumberFormatException e) {
            return null;
          }
        }
      }
    }
    return printed.isEmpty() ? null : new ExpectedScores(printed);
  }

  int rows() {
    return values.length;
  }

  /**
   * A distance of all scores.
   *
   * @param rows compared
   * @param differing rows of which even the printed digits differ
   * @param ulps the largest distance, in units in the last place
   * @param absolute the largest distance
   * @param first the first row of which the printed digits differ; -1 if there is none
   */
  record Distance(int rows, int differing, long ulps, double absolute, int first) {
    boolean exact() {
      return ulps == 0;
    }

    /** Whether all rows agree in the digits that were printed. */
    boolean agrees() {
      return differing == 0;
    }
  }

  /** The expected score of a row. */
  double value(int row) {
    return values[row];
  }

  /** The same scores less a number. */
  ExpectedScores minus(double constant) {
    BigDecimal all = BigDecimal.valueOf(constant);
    return new ExpectedScores(printed.stream().map(score -> score.subtract(all)).toList());
  }

  /**
   * How far scores are from these.
   *
   * @param leftOut rows not to compare
   * @param start where the sums begin, which rounds them if it is larger than they are
   * @param ulpsAllowed where the trainer's own function is only known that closely
   */
  Distance distance(
      double[] scores, boolean[] leftOut, Accumulator accumulator, double start, long ulpsAllowed) {
    int rows = 0;
    int differing = 0;
    long worst = 0;
    double absolute = 0;
    int first = -1;
    for (int row = 0; row < values.length; row++) {
      if (leftOut[row]) {
        continue;
      }
      rows++;
      long ulps = accumulator.ulps(scores[row], values[row]);
      worst = Math.max(worst, ulps);
      double off =
          accumulator == Accumulator.FLOAT
              ? (float) scores[row] - (double) (float) values[row]
              : scores[row] - values[row];
      absolute = Math.max(absolute, Math.abs(off));
      if (ulps > ulpsAllowed && !agrees(row, scores[row], accumulator, start)) {
        differing++;
        first = first < 0 ? row : first;
      }
    }
    return new Distance(rows, differing, worst, absolute, first);
  }

  /** Whether a score is that of a row, or it or one of its neighbours could be printed so. */
  boolean agrees(int row, double score, Accumulator accumulator, double start) {
    if (accumulator.ulps(score, values[row]) == 0) {
      return true;
    }
    BigDecimal number = printed.get(row);
    int all = accumulator == Accumulator.FLOAT ? FLOAT_DIGITS : DOUBLE_DIGITS;
    if (number.precision() >= all - 1 || !Double.isFinite(score)) {
      return false;
    }
    double unit = number.ulp().doubleValue();
    double size = Math.abs(values[row]) + Math.abs(start);
    double last = accumulator == Accumulator.FLOAT ? Math.ulp((float) size) : Math.ulp(size);
    return Math.abs(score - values[row]) <= unit / 2 + last;
  }
}
