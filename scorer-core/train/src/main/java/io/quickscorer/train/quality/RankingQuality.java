// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.quality;

import io.quickscorer.train.data.JudgedQuery;
import java.util.List;

/** Measures of a ranking that treat documents with a grade above 0 as relevant. */
public final class RankingQuality {
  private RankingQuality() {}

  /**
   * Returns the average precision, 0 to 1. For each relevant document in the ranking, its precision
   * is the share of relevant documents from the first position to its position. The sum of these
   * precisions is divided by the number of the query's relevant documents.
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

  /** Returns 1 / the position of the first relevant document; 0 if the ranking contains none. */
  public static double reciprocalRank(JudgedQuery query, List<String> ranking) {
    for (int i = 0; i < ranking.size(); i++) {
      if (query.grade(ranking.get(i)) > 0) {
        return 1.0 / (i + 1);
      }
    }
    return 0;
  }
}
