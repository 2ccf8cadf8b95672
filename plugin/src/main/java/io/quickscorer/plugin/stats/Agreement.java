// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import java.util.Arrays;
import java.util.BitSet;
import org.apache.lucene.util.NumericUtils;

/**
 * Measures how similar two rankings of the same documents are.
 *
 * @param sameFirst whether both rankings start with the same document
 * @param overlap the number of documents that are among the first {@link #BEST} of both rankings,
 *     divided by {@link #BEST}; NaN if there are at most {@link #BEST} documents
 * @param correlation Spearman's rank correlation: 1 for equal rankings, -1 for reverse ones
 */
record Agreement(boolean sameFirst, double overlap, double correlation) {
  /** The number of documents that {@link #overlap} compares: the best ones of each ranking. */
  static final int BEST = 10;

  /**
   * Returns the indices of documents, sorted by descending score. Scores are rounded to floats
   * first, as in the response of a search. Documents with equal scores keep their order.
   */
  static int[] ranking(double[] scores) {
    long[] keys = new long[scores.length];
    for (int i = 0; i < keys.length; i++) {
      // Adding 0 turns -0 into 0, so that both are equal.
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
   * Computes how similar two rankings of the same documents are.
   *
   * @param a the indices of the documents in the first ranking, best first; at least 2
   * @param b the indices of the same documents in the second ranking
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
