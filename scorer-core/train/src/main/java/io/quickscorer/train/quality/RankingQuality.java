// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.quality;

import io.quickscorer.train.data.JudgedQuery;
import java.util.Comparator;
import java.util.List;

/**
 * Measures of one ranking: NDCG with gain 2^grade - 1 and discount log2(position + 1), positions
 * from 1. The ideal order is made of all judged documents of the query, found or not. (Järvelin and
 * Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 2002; the exponential gain
 * is that of Burges et al., ICML 2005.)
 */
public final class RankingQuality {
  public static final int DEPTH = 10;

  private RankingQuality() {}

  /**
   * From 0 to 1.
   *
   * @param query a query with at least one good answer
   * @param ranking document ids, the best first; only the first ten count
   */
  public static double ndcg(JudgedQuery query, List<String> ranking) {
    return ndcg(query, ranking, DEPTH);
  }

  /** The same at another depth. */
  public static double ndcg(JudgedQuery query, List<String> ranking, int depth) {
    double gain = gain(ranking.stream().map(query::grade).toList(), depth);
    double ideal =
        gain(query.judgments().values().stream().sorted(Comparator.reverseOrder()).toList(), depth);
    if (ideal == 0) {
      throw new IllegalArgumentException("query " + query.id() + " has no good answer");
    }
    return gain / ideal;
  }

  /**
   * Average precision over the whole ranking: any grade above 0 is a good answer, and those that
   * the ranking lacks count as never found.
   */
  public static double averagePrecision(JudgedQuery query, List<String> ranking) {
    double sum = 0;
    int found = 0;
    for (int i = 0; i < ranking.size(); i++) {
      if (query.grade(ranking.get(i)) > 0) {
        found++;
        sum += (double) found / (i + 1);
      }
    }
    return sum / query.judgments().values().stream().filter(grade -> grade > 0).count();
  }

  /** One by the position of the first good answer, from 1; 0 if there is none. */
  public static double reciprocalRank(JudgedQuery query, List<String> ranking) {
    for (int i = 0; i < ranking.size(); i++) {
      if (query.grade(ranking.get(i)) > 0) {
        return 1.0 / (i + 1);
      }
    }
    return 0;
  }

  private static double gain(List<Integer> grades, int depth) {
    double sum = 0;
    for (int i = 0; i < Math.min(depth, grades.size()); i++) {
      sum += (Math.pow(2, grades.get(i)) - 1) / (Math.log(i + 2) / Math.log(2));
    }
    return sum;
  }
}
