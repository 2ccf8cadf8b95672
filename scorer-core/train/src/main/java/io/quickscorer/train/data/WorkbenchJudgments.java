// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import io.quickscorer.cli.input.Failure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * Judgment lists of OpenSearch's Search Relevance Workbench, as it imports and as it shows them:
 * {@code {"judgmentRatings": [{"query": "…", "ratings": [{"docId": "…", "rating": "2.000"}]}]}}.
 */
public final class WorkbenchJudgments {
  /** Grades that trainers take as they are: the gain of one is 2 to its power. */
  private static final int MAX_GRADE = 31;

  /** Grades that other ratings become where there are many different ones. */
  private static final int CLASSES = 4;

  private WorkbenchJudgments() {}

  /**
   * Reads a list. Whole ratings of 0 to 31 are grades. Others become grades in their order, 0 for
   * the least, if there are at most 32 different ones; else by their size, from 0 to 4.
   *
   * @param list a list, or the Workbench's answer that holds one as its only hit
   * @throws Failure naming the place
   */
  public static List<JudgedQuery> read(JsonNode list) throws Failure {
    JsonNode shown = list.at("/hits/hits/0/_source");
    JsonNode ratings = (shown.isObject() ? shown : list).path("judgmentRatings");
    if (!ratings.isArray()) {
      throw Failure.usage("expected a judgment list with [judgmentRatings]");
    }
    Map<String, Map<String, Double>> byQuery = new LinkedHashMap<>();
    TreeSet<Double> different = new TreeSet<>();
    for (int q = 0; q < ratings.size(); q++) {
      String where = "judgmentRatings[" + q + "]";
      JsonNode query = ratings.get(q).path("query");
      if (!query.isString() || !ratings.get(q).path("ratings").isArray()) {
        throw Failure.usage(where + ": expected a [query] and an array of [ratings]");
      }
      Map<String, Double> of =
          byQuery.computeIfAbsent(query.asString(), text -> new LinkedHashMap<>());
      for (JsonNode rated : ratings.get(q).get("ratings")) {
        double rating = rating(where, rated);
        of.put(rated.get("docId").asString(), rating);
        different.add(rating);
      }
    }
    List<JudgedQuery> queries = new ArrayList<>();
    byQuery.forEach(
        (query, of) -> {
          Map<String, Integer> grades = new HashMap<>();
          of.forEach((document, rating) -> grades.put(document, grade(rating, different)));
          queries.add(JudgedQuery.of(query, query, grades));
        });
    return queries;
  }

  private static double rating(String where, JsonNode rated) throws Failure {
    JsonNode rating = rated.path("rating");
    if (rated.path("docId").isString() && (rating.isString() || rating.isNumber())) {
      try {
        double value = Double.parseDouble(rating.asString());
        if (value >= 0 && value < Double.POSITIVE_INFINITY) {
          return value;
        }
      } catch (NumberFormatException e) {
        // The message below says what was expected.
      }
    }
    throw Failure.usage(where + ": expected ratings of a [docId] and a [rating] of 0 or more");
  }

  private static int grade(double rating, TreeSet<Double> different) {
    if (different.last() <= MAX_GRADE && different.stream().allMatch(r -> r == Math.rint(r))) {
      return (int) rating;
    }
    return different.size() <= MAX_GRADE + 1
        ? different.headSet(rating).size()
        : (int) Math.round(CLASSES * rating / different.last());
  }
}
