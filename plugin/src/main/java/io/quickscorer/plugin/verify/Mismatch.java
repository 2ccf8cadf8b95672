// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.verify;

import io.quickscorer.matrix.FeatureMatrix;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A sample of documents for which an engine (scoring algorithm) and the reference engine computed
 * different scores, with the results of further checks.
 *
 * @param sample the documents, and the scores of the engine that is verified
 * @param first the scores of the reference engine in its first run
 * @param again the scores of the reference engine in a second run
 * @param other the scores of an engine that shares no code with the other two, or null if there is
 *     none
 */
@SuppressWarnings("ArrayRecordComponent") // these records are never compared
record Mismatch(Sample sample, double[] first, double[] again, References.@Nullable Answer other) {
  private static final int MAX_DOCUMENTS = 4;

  /** Number of characters of the description after which no more documents are added to it. */
  private static final int MAX_TEXT = 1 << 16;

  private static final HexFormat HEX = HexFormat.of();

  /**
   * Returns the number of documents with wrong scores. A score is wrong if it differs from that of
   * the reference engine's second run, and also from the independent engine's score if there is
   * one.
   */
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

  /**
   * Returns whether the reference engine may be wrong: its two runs computed different scores, or
   * its second run and the independent engine did.
   */
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
   * Returns a text with the data to reproduce the wrong scores: the JVM, and the scores and feature
   * values of the first wrong documents. The feature values are in the order of the model's
   * features. Numbers are written as hexadecimal bits. Equal consecutive values are written once
   * with a count.
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
    text.append(", reference ").append(bits(first[document]));
    text.append(", reference again ").append(bits(again[document]));
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
