// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.quality;

import io.quickscorer.train.data.JudgedQuery;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * NDCG, a measure of ranking quality from 0 to 1. The gain of the document at each position (from
 * 1) is divided by log2(position + 1). The sum of these quotients is divided by the same sum for
 * the ideal ranking, which contains all judged documents of the query, even if the search did not
 * find them. (Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS
 * 2002; the exponential gain is that of Burges et al., ICML 2005.)
 *
 * @param depth number of positions that count, from the first
 * @param gain a description of the gains, for users
 * @param gains the gain of each grade, from grade 0
 */
public record Ndcg(int depth, String gain, List<Double> gains) {
  private static final int MAX_GRADE = 30;

  /** NDCG over 10 positions, where the gain of a document is 2^grade - 1. */
  public static final Ndcg DEFAULT = of(10, Map.of());

  public Ndcg {
    gains = List.copyOf(gains);
  }

  /**
   * Returns NDCG with the gains that a trainer optimises. By default, gains are exponential in the
   * grade.
   *
   * @param depth number of positions that count, from the first
   * @param parameters the trainer's parameters
   * @throws IllegalStateException if a parameter is invalid
   */
  public static Ndcg of(int depth, Map<String, String> parameters) {
    String given = parameters.get("label_gain");
    if (given != null) {
      try {
        return new Ndcg(
            depth,
            "label_gain " + given,
            Arrays.stream(given.split(",")).map(String::strip).map(Double::valueOf).toList());
      } catch (NumberFormatException e) {
        throw new IllegalStateException(
            "-P label_gain: " + given + ", expected numbers separated by commas", e);
      }
    }
    String exponential = parameters.getOrDefault("ndcg_exp_gain", "true");
    boolean linear =
        exponential.equalsIgnoreCase("false")
            || exponential.equals("0")
            || parameters.getOrDefault("eval_metric", "").contains("type=Base");
    return new Ndcg(
        depth,
        linear ? "the grade (linear)" : "2^grade - 1 (exponential)",
        IntStream.rangeClosed(0, MAX_GRADE)
            .mapToObj(grade -> linear ? grade : Math.pow(2, grade) - 1)
            .toList());
  }

  /** Checks that the gains are valid, and that each grade of the queries has a gain. */
  public void check(List<JudgedQuery> queries) {
    for (int grade = 0; grade < gains.size(); grade++) {
      double min = grade == 0 ? 0 : Math.max(Double.MIN_VALUE, gains.get(grade - 1));
      double max = grade == 0 ? 0 : Double.MAX_VALUE;
      if (!(gains.get(grade) >= min && gains.get(grade) <= max)) {
        throw new IllegalStateException(
            gain + ": expected 0 for grade 0, values above 0 for all others, in ascending order");
      }
    }
    queries.stream()
        .flatMap(query -> query.judgments().values().stream())
        .filter(grade -> grade >= gains.size())
        .findFirst()
        .ifPresent(
            grade -> {
              throw new IllegalStateException(
                  gain
                      + ": no gain for grade "
                      + grade
                      + ", expected grades from 0 to "
                      + (gains.size() - 1));
            });
  }

  /**
   * Returns the NDCG of a ranking, 0 to 1.
   *
   * @param query a query with at least one relevant document
   * @param ranking the ids of documents, the best one first
   */
  public double of(JudgedQuery query, List<String> ranking) {
    double ideal =
        sum(query.judgments().values().stream().sorted(Comparator.reverseOrder()).toList());
    if (ideal == 0) {
      throw new IllegalArgumentException("query " + query.id() + " has no relevant document");
    }
    return sum(ranking.stream().map(query::grade).toList()) / ideal;
  }

  private double sum(List<Integer> grades) {
    double sum = 0;
    for (int i = 0; i < Math.min(depth, grades.size()); i++) {
      sum += gains.get(grades.get(i)) / (Math.log(i + 2) / Math.log(2));
    }
    return sum;
  }

  @Override
  public String toString() {
    return "NDCG@" + depth;
  }
}
