// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.verify;

import io.quickscorer.matrix.FeatureMatrix;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A sample whose scores differ from the reference's, with the results of further checks.
 *
 * @param first the reference's scores
 * @param again the reference's scores, the second time
 * @param other the scores of an independent engine, or null if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared: the arrays are the point
record Mismatch(Sample sample, double[] first, double[] again, References.@Nullable Answer other) {
  private static final int MAX_DOCUMENTS = 4;

  /** Characters from which on no further document is described. */
  private static final int MAX_TEXT = 1 << 16;

  private static final HexFormat HEX = HexFormat.of();

  /** Returns the number of documents for which no other engine has the engine's score. */
  int wrong() {
    int wrong = 0;
    for (int document = 0; document < again.length; document++) {
      wrong += isWrong(document) ? 1 : 0;
    }
    return wrong;
  }

  private boolean isWrong(int document) {
    double score = sample.scores()[document];
    return !same(score, again[document])
        && (other == null || !same(score, other.scores()[document]));
  }

  /** Returns whether the reference may be wrong. */
  boolean isDisagreement() {
    return !same(first, again) || (other != null && !same(again, other.scores()));
  }

  static boolean same(double[] a, double[] b) {
    for (int i = 0; i < a.length; i++) {
      if (!same(a[i], b[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean same(double a, double b) {
    return Double.doubleToRawLongBits(a) == Double.doubleToRawLongBits(b);
  }

  /**
   * Returns all data that a replay needs: the JVM, and for the first documents the scores and the
   * row in the order of the model's features. Floats are written as hexadecimal bits. Runs of equal
   * values in a row are written as one value with a count.
   */
  String describe() {
    StringBuilder text = new StringBuilder();
    text.append("a batch of ").append(sample.batch());
    text.append(" documents, JVM [").append(System.getProperty("java.vm.name")).append(' ');
    text.append(System.getProperty("java.vm.version")).append(", ");
    text.append(System.getProperty("os.arch")).append(']');
    int shown = 0;
    for (int d = 0; d < again.length && shown < MAX_DOCUMENTS && text.length() < MAX_TEXT; d++) {
      if (!same(sample.scores()[d], first[d]) || isWrong(d)) {
        describe(d, text);
        shown++;
      }
    }
    return text.toString();
  }

  private void describe(int document, StringBuilder text) {
    text.append("\ndocument ").append(sample.from() + document).append(": scored ");
    text.append(bits(sample.scores()[document]));
    text.append(", object ").append(bits(first[document]));
    text.append(", object again ").append(bits(again[document]));
    if (other != null) {
      text.append(", ").append(other.engine()).append(' ').append(bits(other.scores()[document]));
    }
    text.append(", row");
    FeatureMatrix matrix = sample.matrix();
    for (int f = 0; f < matrix.features(); ) {
      int bits = bits(matrix.get(document, f));
      int same = 1;
      while (f + same < matrix.features() && bits(matrix.get(document, f + same)) == bits) {
        same++;
      }
      text.append(' ').append(HEX.toHexDigits(bits));
      if (same > 1) {
        text.append('*').append(same);
      }
      f += same;
    }
  }

  private static int bits(float value) {
    return Float.floatToRawIntBits(value);
  }

  private static String bits(double score) {
    return HEX.toHexDigits(Double.doubleToRawLongBits(score));
  }
}
