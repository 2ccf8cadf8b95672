// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import io.quickscorer.demo.corpus.JudgedQuery;
import java.util.Comparator;
import java.util.List;

/**
 * NDCG@10 with gain 2^grade - 1 and discount log2(position + 1), positions from 1. The ideal order
 * is made of all judged documents of the query, found or not. (Järvelin and Kekäläinen, Cumulated
 * gain-based evaluation of IR techniques, ACM TOIS 2002; the exponential gain is that of Burges et
 * al., ICML 2005.)
 */
final class RankingQuality {
  static final int DEPTH = 10;

  private RankingQuality() {}

  /**
   * From 0 to 1.
   *
   * @param query a query with at least one good answer
   * @param ranking document ids, the best first; only the first ten count
   */
  static double ndcg(JudgedQuery query, List<String> ranking) {
    double gain = gain(ranking.stream().map(query::grade).toList());
    double ideal =
        gain(query.judgments().values().stream().sorted(Comparator.reverseOrder()).toList());
    if (ideal == 0) {
      throw new IllegalArgumentException("query " + query.id() + " has no good answer");
    }
    return gain / ideal;
  }

  private static double gain(List<Integer> grades) {
    double sum = 0;
    for (int i = 0; i < Math.min(DEPTH, grades.size()); i++) {
      sum += (Math.pow(2, grades.get(i)) - 1) / (Math.log(i + 2) / Math.log(2));
    }
    return sum;
  }
}
