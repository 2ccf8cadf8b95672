// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.model.Json;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;

/**
 * Rows with the scores their trainer gives them: proof, at upload, that the model scores here as it
 * does there.
 *
 * @param rows one array per document, one value per feature of the model in its order; NaN (null in
 *     JSON) is missing
 * @param expected the trainer's prediction for each row
 * @param transformed whether that is the trainer's {@code predict} (sigmoid, exp… applied) or its
 *     raw score
 * @param toleranceUlp how many representable numbers apart the two may be: doubles, or floats where
 *     the trainer sums in float
 */
public record Parity(
    List<float[]> rows, double[] expected, boolean transformed, long toleranceUlp) {
  /**
   * What a transformed score may differ by where the request does not say: the trainer's exp is not
   * Java's.
   */
  private static final long TRANSFORMED_ULP = 4;

  public Parity {
    if (rows.size() != expected.length || rows.isEmpty()) {
      throw new IllegalArgumentException(
          "parity: " + rows.size() + " rows and " + expected.length + " expected scores");
    }
    for (int row = 0; row < expected.length; row++) {
      if (!Double.isFinite(expected[row])) {
        throw new IllegalArgumentException("parity: expected, value " + row + ": not a number");
      }
    }
  }

  /**
   * Scores the rows and compares.
   *
   * @return the largest distance found, in ulp
   * @throws IllegalArgumentException naming the first row that is further off than allowed
   */
  long check(EnsembleScorer scorer) {
    int features = scorer.ensemble().featureNames().size();
    FeatureMatrix matrix = new FeatureMatrix(features, rows.size());
    for (int row = 0; row < rows.size(); row++) {
      float[] values = rows.get(row);
      if (values.length != features) {
        throw new IllegalArgumentException(
            "parity: row "
                + row
                + " has "
                + values.length
                + " values, the model has "
                + features
                + " features");
      }
      for (int f = 0; f < features; f++) {
        matrix.set(row, f, values[f]);
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
                + ", scored "
                + score
                + ": "
                + apart
                + " ulp apart, at most "
                + toleranceUlp
                + " allowed");
      }
      worst = Math.max(worst, apart);
    }
    return worst;
  }

  /** Reads {@code {"rows": [[…]], "expected": […], "output": "raw", "tolerance_ulp": 0}}. */
  static Parity parse(XContentParser parser) throws IOException {
    List<float[]> rows = new ArrayList<>();
    double[] expected = new double[0];
    boolean transformed = false;
    long tolerance = -1;
    Json.expect(parser, Token.START_OBJECT, "parity");
    while (parser.nextToken() == Token.FIELD_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      switch (field) {
        case "rows" -> rows = rows(parser);
        case "expected" -> expected = numbers(parser, "parity: expected");
        case "output" ->
            transformed =
                switch (Json.string(parser, "parity: output")) {
                  case "raw" -> false;
                  case "transformed" -> true;
                  default ->
                      throw new IllegalArgumentException(
                          "parity: output: expected raw or transformed");
                };
        case "tolerance_ulp" -> {
          Json.expect(parser, Token.VALUE_NUMBER, "parity: tolerance_ulp");
          tolerance = parser.longValue(false);
          if (tolerance < 0) {
            throw new IllegalArgumentException("parity: tolerance_ulp: expected 0 or more");
          }
        }
        default -> throw Json.unknown("parity", field);
      }
    }
    return new Parity(
        rows,
        expected,
        transformed,
        tolerance >= 0 ? tolerance : transformed ? TRANSFORMED_ULP : 0);
  }

  private static List<float[]> rows(XContentParser parser) throws IOException {
    Json.expect(parser, Token.START_ARRAY, "parity: rows");
    List<float[]> rows = new ArrayList<>();
    while (parser.nextToken() != Token.END_ARRAY) {
      double[] row = numbers(parser, "parity: row " + rows.size());
      float[] values = new float[row.length];
      for (int i = 0; i < row.length; i++) {
        values[i] = (float) row[i];
      }
      rows.add(values);
    }
    return rows;
  }

  private static double[] numbers(XContentParser parser, String where) throws IOException {
    Json.expect(parser, Token.START_ARRAY, where);
    List<Double> numbers = new ArrayList<>();
    while (parser.nextToken() != Token.END_ARRAY) {
      if (parser.currentToken() == Token.VALUE_NULL) {
        numbers.add(Double.NaN);
      } else {
        Json.expect(parser, Token.VALUE_NUMBER, where + ", value " + numbers.size());
        numbers.add(parser.doubleValue(false));
      }
    }
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
