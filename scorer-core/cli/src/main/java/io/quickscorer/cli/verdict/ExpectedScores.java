// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.verdict;

import io.quickscorer.cli.input.DataFile;
import io.quickscorer.cli.input.Failure;
import io.quickscorer.cli.input.Values;
import io.quickscorer.ensemble.Accumulator;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** The scores that a trainer has printed, one per line, for comparison with a model's scores. */
final class ExpectedScores {
  /** Number of decimal digits that distinguish any two floats. */
  private static final int FLOAT_DIGITS = 9;

  /** Number of decimal digits that distinguish any two doubles. */
  private static final int DOUBLE_DIGITS = 17;

  private static final int MAX_LENGTH = 64;
  private static final int MAX_SCALE = 400;

  /** Minimum number of digits. With fewer, as in class labels, too many models would agree. */
  private static final int MIN_DIGITS = 4;

  /** The scores as they were printed, with all digits; null for NaN and infinities. */
  private final List<@Nullable BigDecimal> printed;

  private final double[] values;

  /** The number of significant digits of the longest score. */
  private final int digits;

  /** The number of decimals of the score with the most decimals. */
  private final int decimals;

  private ExpectedScores(List<@Nullable BigDecimal> printed, double[] values) {
    this.printed = printed;
    this.values = values;
    int max = 0;
    int scale = Integer.MIN_VALUE;
    for (BigDecimal score : printed) {
      if (score != null) {
        max = Math.max(max, score.precision());
        scale = Math.max(scale, score.scale());
      }
    }
    this.digits = max;
    this.decimals = scale;
  }

  /**
   * Reads a file of expected scores, one per line.
   *
   * @throws Failure if a line is not one number, or the file is empty
   */
  static ExpectedScores read(Path file) throws IOException, Failure {
    List<@Nullable BigDecimal> printed = new ArrayList<>();
    DoubleStream.Builder values = DoubleStream.builder();
    long blank = 0;
    try (BufferedReader reader = DataFile.reader(file)) {
      String line;
      for (long number = 1; (line = reader.readLine()) != null; number++) {
        String text = line.strip();
        if (text.isEmpty()) {
          blank = blank == 0 ? number : blank;
          continue;
        }
        if (blank > 0) {
          throw Failure.data(blank, "the line is empty, expected a score");
        }
        try {
          double value = Values.number(text);
          BigDecimal score = Double.isFinite(value) ? new BigDecimal(text) : null;
          // Such a number exceeds the range of doubles, and subtracting it would create millions of
          // digits.
          if (text.length() > MAX_LENGTH || score != null && Math.abs(score.scale()) > MAX_SCALE) {
            throw Failure.data(number, "the number has too many digits for a score");
          }
          printed.add(score);
          values.add(value);
        } catch (NumberFormatException e) {
          throw Failure.data(number, "expected one number");
        }
      }
    }
    if (printed.isEmpty()) {
      throw Failure.data(1, "the file contains no scores");
    }
    return new ExpectedScores(printed, values.build().toArray());
  }

  int rows() {
    return values.length;
  }

  /**
   * The difference between the model's scores and the expected scores.
   *
   * @param rows number of compared rows
   * @param differing number of rows whose printed digits differ
   * @param ulps the largest difference, in units in the last place
   * @param absolute the largest absolute difference
   * @param agreeing indices of the rows whose printed digits agree
   * @param bounds for each row, the largest absolute difference that counts as agreement
   * @param first index of the first row whose printed digits differ; -1 if there is none
   */
  record Distance(
      int rows,
      int differing,
      long ulps,
      double absolute,
      BitSet agreeing,
      double[] bounds,
      int first) {
    boolean exact() {
      return ulps == 0;
    }

    /** Returns whether the printed digits of all compared rows agree. */
    boolean agrees() {
      return differing == 0;
    }
  }

  double value(int row) {
    return values[row];
  }

  /** Returns whether the expected scores have too few digits for a comparison. */
  boolean isCoarse() {
    return digits < MIN_DIGITS;
  }

  /**
   * Returns how certain it is that the rows of a data file belong to the expected scores: minus the
   * natural logarithm of the probability that random scores agree in all of {@code rows}.
   *
   * @param rows indices of the rows whose scores agree
   * @param bounds for each row, the largest absolute difference that counts as agreement
   */
  double evidence(BitSet rows, double[] bounds) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return rows.stream()
        .mapToDouble(
            row -> {
              double value = values[row];
              int above = below(sorted, value + bounds[row], true);
              int count = above - below(sorted, value - bounds[row], false);
              return Math.log((double) values.length / Math.max(1, count));
            })
        .sum();
  }

  /**
   * Returns how many numbers in a sorted array are below a bound. NaN counts as the largest number.
   *
   * @param orEqual whether numbers that are equal to the bound count, too
   */
  private static int below(double[] sorted, double bound, boolean orEqual) {
    int from = 0;
    int to = sorted.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      int order = Double.compare(sorted[middle] + 0.0, bound + 0.0);
      if (order < 0 || orEqual && order == 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /**
   * Returns the difference between a model's scores and the expected scores.
   *
   * @param leftOut true for each row that is not compared
   * @param start initial value of each score's sum; a large value makes rounding errors larger
   * @param ulpsAllowed maximum error of the trainer's link function, in units in the last place
   */
  Distance distance(
      double[] scores, boolean[] leftOut, Accumulator accumulator, double start, long ulpsAllowed) {
    int rows = 0;
    int differing = 0;
    long worst = 0;
    double absolute = 0;
    BitSet agreeing = new BitSet();
    double[] bounds = new double[values.length];
    int first = -1;
    for (int row = 0; row < values.length; row++) {
      bounds[row] = bound(row, accumulator, start);
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
      // The difference is NaN if one score is NaN, or if both are the same infinity.
      absolute = Math.abs(off) > absolute ? Math.abs(off) : absolute;
      if (ulps > ulpsAllowed && !agrees(row, scores[row], accumulator, start)) {
        differing++;
        first = first < 0 ? row : first;
      } else {
        agreeing.set(row);
      }
    }
    return new Distance(rows, differing, worst, absolute, agreeing, bounds, first);
  }

  /**
   * Returns whether a score agrees with a row's expected score, except for rounding in printing.
   */
  boolean agrees(int row, double score, Accumulator accumulator, double start) {
    if (accumulator.ulps(score, values[row]) == 0) {
      return true;
    }
    double bound = bound(row, accumulator, start);
    return bound > 0 && Double.isFinite(score) && Math.abs(score - values[row]) <= bound;
  }

  /** Returns the maximum rounding error of a row's expected score; 0 if all digits were printed. */
  double bound(int row, Accumulator accumulator, double start) {
    BigDecimal number = printed.get(row);
    int all = accumulator == Accumulator.FLOAT ? FLOAT_DIGITS : DOUBLE_DIGITS;
    if (number == null || digits >= all - 1) {
      return 0;
    }
    double size = Math.abs(values[row]) + Math.abs(start);
    double last = accumulator == Accumulator.FLOAT ? Math.ulp((float) size) : Math.ulp(size);
    return unit(number) / 2 + last;
  }

  /**
   * Returns the value of a unit in the last printed digit, such as 0.01 for 2.75. Trailing zeros
   * that were not printed count as digits.
   */
  private double unit(BigDecimal number) {
    int byDigits = number.scale() + digits - number.precision();
    return new BigDecimal(BigInteger.ONE, Math.min(byDigits, decimals)).doubleValue();
  }
}
