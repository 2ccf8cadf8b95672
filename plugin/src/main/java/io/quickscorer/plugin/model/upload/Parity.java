// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.door.Texts;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of feature values with the trainer's scores, to check that the plugin's scores are equal.
 *
 * @param rows one array per document, with one value per feature in the model's order; NaN (null in
 *     JSON) for a missing value
 * @param expected the trainer's score of each row
 * @param transformed whether the expected scores are the results of a function such as sigmoid (the
 *     trainer's {@code predict}); otherwise they are raw scores
 * @param toleranceUlp the maximum difference in units in the last place (ulp); the unit is that of
 *     a float if the trainer sums in float, otherwise that of a double
 */
record Parity(List<float[]> rows, double[] expected, boolean transformed, long toleranceUlp) {
  /**
   * Default tolerance, in ulp (units in the last place), for transformed scores: a trainer's
   * exponential function may differ slightly from Java's.
   */
  private static final long TRANSFORMED_ULP = 4;

  /** Maximum number of values in a row. A model cannot have more features. */
  private static final int MAX_VALUES = Input.MAX_ITEMS;

  public Parity {
    if (rows.size() != expected.length || rows.isEmpty()) {
      throw new IllegalArgumentException(
          "parity: "
              + rows.size()
              + " rows and "
              + expected.length
              + " expected scores; send one expected score for each row, and at least one row");
    }
    for (int row = 0; row < expected.length; row++) {
      if (!Double.isFinite(expected[row])) {
        throw new IllegalArgumentException(
            "parity: expected score " + row + " is not a finite number");
      }
    }
  }

  /**
   * Scores the rows, and returns the largest difference from the expected scores, in ulp (units in
   * the last place).
   *
   * @param memory the charge at the circuit breaker, which grows by the memory of the rows
   * @throws IllegalArgumentException if a difference exceeds the tolerance; the message names the
   *     row
   */
  long check(EnsembleScorer scorer, MemoryCharge memory) {
    int features = scorer.ensemble().featureNames().size();
    for (int row = 0; row < rows.size(); row++) {
      if (rows.get(row).length != features) {
        throw new IllegalArgumentException(
            "parity: row "
                + row
                + " has "
                + rows.get(row).length
                + " values, but the model has "
                + features
                + " features");
      }
    }
    memory.grow(Math.multiplyExact((long) Float.BYTES * features, rows.size()));
    FeatureMatrix matrix = new FeatureMatrix(features, rows.size());
    for (int row = 0; row < rows.size(); row++) {
      for (int f = 0; f < features; f++) {
        StepLimit.step();
        matrix.set(row, f, rows.get(row)[f]);
      }
    }
    double[] scores = new double[rows.size()];
    scorer.score(matrix, scorer.newScratch(), scores);
    Accumulator accumulator = scorer.ensemble().scoreType();
    long worst = 0;
    for (int row = 0; row < scores.length; row++) {
      double score = transformed ? scorer.ensemble().transform().apply(scores[row]) : scores[row];
      long apart = accumulator.ulps(expected[row], score);
      if (apart > toleranceUlp) {
        throw new IllegalArgumentException(
            "parity: row "
                + row
                + ": expected "
                + expected[row]
                + ", but the score is "
                + score
                + ", which differs by "
                + apart
                + " ulp, at most "
                + toleranceUlp
                + " allowed");
      }
      worst = Math.max(worst, apart);
    }
    return worst;
  }

  /**
   * The fields of the object {@code parity} in a request: {@code {"rows": [[…]], "expected": […],
   * "output": "raw", "tolerance_ulp": 0}}.
   */
  static final Shape<Fields> SHAPE =
      new Shape<Fields>()
          .list("rows", Input.MAX_ITEMS, (parity, in) -> parity.row(in.floats(MAX_VALUES)))
          .any("expected", (parity, in) -> parity.expected = in.doubles(Input.MAX_ITEMS))
          .text(
              "output",
              (parity, output) ->
                  parity.transformed = Texts.either("", output, "raw", "transformed"))
          .whole("tolerance_ulp", 0, Long.MAX_VALUE, (parity, ulp) -> parity.tolerance = ulp);

  static Parity read(Input in) throws IOException {
    Fields fields = SHAPE.read(in, new Fields());
    return new Parity(
        fields.rows,
        fields.expected,
        fields.transformed,
        fields.tolerance >= 0 ? fields.tolerance : fields.transformed ? TRANSFORMED_ULP : 0);
  }

  static final class Fields {
    private final List<float[]> rows = new ArrayList<>();
    private double[] expected = new double[0];
    private boolean transformed;
    private long tolerance = -1;

    private void row(float[] row) {
      rows.add(row);
    }
  }
}
