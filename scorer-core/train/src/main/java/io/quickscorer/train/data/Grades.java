// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Ratings of any kind, made into the whole grades that trainers take. If all are whole numbers of
 * up to 30, they are the grades. Others become grades in their order, if there are at most 31
 * different ones: the least is 0, unless it is the only one. More different ones become grades by
 * their size, from 0 to 4. Ratings below 0 count as 0.
 */
final class Grades {
  /** LightGBM's default gains end there. */
  private static final int MAX_GRADE = 30;

  /** Grades above 0 that ratings become where there are many different ones. */
  private static final int CLASSES = 4;

  private final Map<String, Map<String, Double>> byQuery = new LinkedHashMap<>();
  private final TreeSet<Double> different = new TreeSet<>();

  /** A document that is rated twice has its last rating. */
  void add(String query, String document, double rating) {
    double counted = Math.max(0, rating);
    byQuery.computeIfAbsent(query, q -> new LinkedHashMap<>()).put(document, counted);
    different.add(counted);
  }

  /**
   * The queries, in the order of their first ratings.
   *
   * @param texts by a query's id; one that is not there is its own text
   */
  List<JudgedQuery> queries(Map<String, String> texts) {
    List<JudgedQuery> queries = new ArrayList<>();
    byQuery.forEach(
        (id, ratings) -> {
          Map<String, Integer> grades = new HashMap<>();
          ratings.forEach((document, rating) -> grades.put(document, grade(rating)));
          queries.add(JudgedQuery.of(id, texts.getOrDefault(id, id), grades));
        });
    return queries;
  }

  private int grade(double rating) {
    if (different.last() <= MAX_GRADE && different.stream().allMatch(r -> r == Math.rint(r))) {
      return (int) rating;
    }
    if (different.size() == 1) {
      return 1;
    }
    return different.size() <= MAX_GRADE + 1
        ? different.headSet(rating).size()
        : (int) Math.round(CLASSES * rating / different.last());
  }
}
