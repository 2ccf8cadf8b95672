// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

/**
 * Computes sums and maxima of arrays of scores, in which NaN marks a document that does not match.
 * The loops have no branches: processors cannot predict which documents match, so branches would be
 * slow.
 */
final class ScoreArithmetic {
  /**
   * The key of a missing score, smaller than all others. {@link #ordered} converts a score to its
   * key.
   */
  static final int MISSING = Integer.MIN_VALUE;

  private static final int INFINITY = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
  private static final int NAN = Float.floatToRawIntBits(Float.NaN);

  private ScoreArithmetic() {}

  /**
   * Returns -1 (all bits are 1) for NaN, 0 for other floats.
   *
   * @param bits the bits of the float
   */
  private static int ifNaN(int bits) {
    return (INFINITY - (bits & Integer.MAX_VALUE)) >> 31;
  }

  /**
   * Converts the bits of a float to its key, an integer that sorts like the float. Also converts a
   * key back to the bits.
   */
  private static int ordered(int bits) {
    return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
  }

  /**
   * Adds each document's score to its sum, unless the score is NaN.
   *
   * @param counts for each document, the number of scores in its sum
   * @param scratch a temporary array with at least {@code size} elements
   * @param size the number of documents
   */
  static void add(float[] scores, double[] sums, int[] counts, float[] scratch, int size) {
    for (int i = 0; i < size; i++) {
      int bits = Float.floatToRawIntBits(scores[i]);
      int missing = ifNaN(bits);
      scratch[i] = Float.intBitsToFloat(bits & ~missing);
      counts[i] += 1 + missing;
    }
    for (int i = 0; i < size; i++) {
      sums[i] += scratch[i];
    }
  }

  /**
   * Writes one float per document: the sum of its scores, or NaN if the document has fewer than
   * {@code atLeast} scores.
   *
   * @param counts for each document, the number of scores in its sum
   * @param scores receives the results
   * @param size the number of documents
   */
  static void atLeast(int atLeast, double[] sums, int[] counts, float[] scores, int size) {
    for (int i = 0; i < size; i++) {
      int bits = Float.floatToRawIntBits((float) sums[i]);
      int tooFew = (counts[i] - atLeast) >> 31;
      scores[i] = Float.intBitsToFloat(bits & ~tooFew | NAN & tooFew);
    }
  }

  /**
   * Adds one more score per document. For each document, two results are kept: its highest score so
   * far, and the sum of its other scores.
   *
   * @param highest the keys ({@link #ordered}) of the highest scores, {@link #MISSING} if there is
   *     none
   * @param others the sums of all scores except the highest
   * @param scratch a temporary array with at least {@code size} elements
   * @param size the number of documents
   */
  static void max(float[] scores, int[] highest, double[] others, float[] scratch, int size) {
    for (int i = 0; i < size; i++) {
      int bits = Float.floatToRawIntBits(scores[i]);
      int missing = ifNaN(bits);
      int key = ordered(bits) & ~missing | MISSING & missing;
      int low = Math.min(key, highest[i]);
      highest[i] = Math.max(key, highest[i]);
      int distance = low ^ MISSING;
      int mask = (distance | -distance) >> 31;
      scratch[i] = Float.intBitsToFloat(ordered(low) & mask);
    }
    for (int i = 0; i < size; i++) {
      others[i] += scratch[i];
    }
  }

  /**
   * Writes each document's highest score, plus a factor times the sum of its other scores.
   *
   * @param highest the keys ({@link #ordered}) of the highest scores
   * @param others for each document, the sum of all scores except the highest
   * @param share the factor, from 0 to 1
   * @param scores receives the results
   * @param size the number of documents
   */
  static void withOthers(int[] highest, double[] others, float share, float[] scores, int size) {
    for (int i = 0; i < size; i++) {
      float max = highest[i] == MISSING ? Float.NaN : Float.intBitsToFloat(ordered(highest[i]));
      scores[i] = (float) (max + others[i] * share);
    }
  }
}
