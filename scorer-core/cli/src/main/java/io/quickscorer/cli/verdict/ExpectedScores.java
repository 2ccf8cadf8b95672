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

/** Scores as a trainer printed them, one per line, and their distances from others. */
final class ExpectedScores {
  /** Number of digits that distinguish any two floats, or doubles. */
  private static final int FLOAT_DIGITS = 9;

  private static final int DOUBLE_DIGITS = 17;
  private static final int MAX_LENGTH = 64;
  private static final int MAX_SCALE = 400;

  /**
   * Minimum number of digits; scores of fewer, such as class labels, agree with too many others.
   */
  private static final int FEWEST_DIGITS = 4;

  /** Scores as printed; null for NaN and infinities. */
  private final List<@Nullable BigDecimal> printed;

  private final double[] values;

  /** Maximum digits, and maximum decimals, of a score: the format of the whole file. */
  private final int digits;

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
   * Reads the scores of a file.
   *
   * @throws Failure if it holds something else, for example several numbers in a line
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
          throw Failure.data(blank, "no score");
        }
        try {
          double value = Values.number(text);
          BigDecimal score = Double.isFinite(value) ? new BigDecimal(text) : null;
          // No double is that large or small, but subtracting would write out the zeros.
          if (text.length() > MAX_LENGTH || score != null && Math.abs(score.scale()) > MAX_SCALE) {
            throw Failure.data(number, "not a score");
          }
          printed.add(score);
          values.add(value);
        } catch (NumberFormatException e) {
          throw Failure.data(number, "expected one number");
        }
      }
    }
    if (printed.isEmpty()) {
      throw Failure.data(1, "no scores");
    }
    return new ExpectedScores(printed, values.build().toArray());
  }

  int rows() {
    return values.length;
  }

  /**
   * A distance of all scores.
   *
   * @param rows compared
   * @param differing number of rows whose printed digits differ
   * @param ulps the largest distance, in units in the last place
   * @param absolute the largest distance
   * @param agreeing compared rows whose printed digits agree
   * @param bounds by row, the maximum distance of agreeing scores
   * @param first the first row whose printed digits differ; -1 if there is none
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

    /** Returns whether all rows agree in the printed digits. */
    boolean agrees() {
      return differing == 0;
    }
  }

  /** Returns the expected score of a row. */
  double value(int row) {
    return values[row];
  }

  /** Returns whether so few digits were printed that other scores would agree too. */
  boolean isCoarse() {
    return digits < FEWEST_DIGITS;
  }

  /**
   * Returns the evidence that these are the rows: minus the logarithm of the probability that
   * scores drawn at random agree in the given rows.
   *
   * @param bounds by row, the maximum distance of agreeing scores
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
   * Returns how many numbers are less than a bound, or at most equal to it; NaN is the greatest.
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
   * Returns the distance of scores from these.
   *
   * @param leftOut rows not to compare
   * @param start initial value of the sums, which rounds them if it is larger
   * @param ulpsAllowed precision to which the trainer's own function is known
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
      // NaN if one score is NaN, or both are the same infinity.
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
   * Returns whether a score equals a row's score, or would be printed like it, possibly after a
   * change by one unit in the last place.
   */
  boolean agrees(int row, double score, Accumulator accumulator, double start) {
    if (accumulator.ulps(score, values[row]) == 0) {
      return true;
    }
    double bound = bound(row, accumulator, start);
    return bound > 0 && Double.isFinite(score) && Math.abs(score - values[row]) <= bound;
  }

  /**
   * Returns the maximum distance of a row's score from the printed one; 0 if all digits were
   * printed.
   */
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
   * Returns the last printed place, including zeros that were left out: printf writes all scores
   * with as many digits, or with as many decimals.
   */
  private double unit(BigDecimal number) {
    int byDigits = number.scale() + digits - number.precision();
    return new BigDecimal(BigInteger.ONE, Math.min(byDigits, decimals)).doubleValue();
  }
}
