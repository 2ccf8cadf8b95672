// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import java.util.Arrays;
import java.util.BitSet;
import org.apache.lucene.util.NumericUtils;

/**
 * How far two rankings of the same documents agree.
 *
 * @param sameFirst whether both begin with the same document
 * @param overlap share of the best {@link #BEST} of one that are among those of the other; NaN
 *     where there are no more documents than that
 * @param correlation Spearman's: 1 for the same ranking, -1 for the reverse
 */
record Agreement(boolean sameFirst, double overlap, double correlation) {
  /** How many of the best documents overlap is about. */
  static final int BEST = 10;

  /**
   * Returns the places of documents by descending score, as floats, in the order of a response's
   * hits. Documents with equal scores keep their order.
   */
  static int[] ranking(double[] scores) {
    long[] keys = new long[scores.length];
    for (int i = 0; i < keys.length; i++) {
      // Adding zero makes -0 and 0 one score.
      int bits = ~NumericUtils.floatToSortableInt((float) scores[i] + 0f);
      keys[i] = (long) bits << Integer.SIZE | i;
    }
    Arrays.sort(keys);
    int[] ranking = new int[keys.length];
    for (int i = 0; i < ranking.length; i++) {
      ranking[i] = (int) keys[i];
    }
    return ranking;
  }

  /**
   * @param a documents from best to worst, 2 or more
   * @param b the same documents in another order
   */
  static Agreement of(int[] a, int[] b) {
    int n = a.length;
    int[] ranks = new int[n];
    for (int rank = 0; rank < n; rank++) {
      ranks[a[rank]] = rank;
    }
    double squares = 0;
    for (int rank = 0; rank < n; rank++) {
      double distance = ranks[b[rank]] - rank;
      squares += distance * distance;
    }
    double correlation = 1 - 6 * squares / ((double) n * ((double) n * n - 1));
    return new Agreement(a[0] == b[0], n > BEST ? overlap(a, b) : Double.NaN, correlation);
  }

  private static double overlap(int[] a, int[] b) {
    BitSet best = new BitSet();
    for (int rank = 0; rank < BEST; rank++) {
      best.set(a[rank]);
    }
    int both = 0;
    for (int rank = 0; rank < BEST; rank++) {
      both += best.get(b[rank]) ? 1 : 0;
    }
    return (double) both / BEST;
  }
}
