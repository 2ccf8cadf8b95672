// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

/**
 * Sums and maxima of blocks of scores, in which NaN says that a document does not match. Without
 * branches: which documents match is nothing that a processor can guess, and each wrong guess costs
 * more than what it decides on.
 */
final class ScoreArithmetic {
  /** The key for no score, which is less than all keys of scores. */
  static final int MISSING = Integer.MIN_VALUE;

  private static final int INFINITY = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
  private static final int NAN = Float.floatToRawIntBits(Float.NaN);

  private ScoreArithmetic() {}

  /** Returns all bits set for NaN, no bits for other values. */
  private static int ifNaN(int bits) {
    return (INFINITY - (bits & Integer.MAX_VALUE)) >> 31;
  }

  /** Converts the bits of a float to an integer with the same order, and back. */
  private static int ordered(int bits) {
    return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
  }

  /**
   * Adds the scores that are there.
   *
   * @param counts how many were added
   * @param scratch as long as a block
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

  /** Writes the rounded sums of documents with at least {@code atLeast} scores; NaN for others. */
  static void atLeast(int atLeast, double[] sums, int[] counts, float[] scores, int size) {
    for (int i = 0; i < size; i++) {
      int bits = Float.floatToRawIntBits((float) sums[i]);
      int tooFew = (counts[i] - atLeast) >> 31;
      scores[i] = Float.intBitsToFloat(bits & ~tooFew | NAN & tooFew);
    }
  }

  /**
   * Updates the highest scores; the lower score of each pair is added to the others.
   *
   * @param highest keys, {@link #MISSING} if there is none yet
   * @param others sums of all scores but the highest
   * @param scratch as long as a block
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

  /** Writes for each document its highest score plus a share of its other scores. */
  static void withOthers(int[] highest, double[] others, float share, float[] scores, int size) {
    for (int i = 0; i < size; i++) {
      float max = highest[i] == MISSING ? Float.NaN : Float.intBitsToFloat(ordered(highest[i]));
      scores[i] = (float) (max + others[i] * share);
    }
  }
}
