// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import io.quickscorer.cli.input.Failure;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Reads judgment lists of OpenSearch's Search Relevance Workbench: {@code {"judgmentRatings":
 * [{"query": "…", "ratings": [{"docId": "…", "rating": "2.000"}]}]}}.
 */
public final class WorkbenchJudgments {
  private WorkbenchJudgments() {}

  /**
   * Reads a judgment list, or a response of the Workbench whose only hit is a judgment list.
   *
   * @param onConflict the rule for a document with several grades for one query
   * @throws Failure if the list is invalid; the message names the element
   */
  public static Judgments read(JsonNode list, Judgments.Conflict onConflict) throws Failure {
    JsonNode shown = list.at("/hits/hits/0/_source");
    JsonNode ratings = (shown.isObject() ? shown : list).path("judgmentRatings");
    if (!ratings.isArray()) {
      throw Failure.usage("expected a judgment list with [judgmentRatings]");
    }
    Grades grades = new Grades(onConflict);
    for (int q = 0; q < ratings.size(); q++) {
      String where = "judgmentRatings[" + q + "]";
      JsonNode query = ratings.get(q).path("query");
      if (!query.isString() || !ratings.get(q).path("ratings").isArray()) {
        throw Failure.usage(where + ": expected a [query] and an array of [ratings]");
      }
      JsonNode documents = ratings.get(q).get("ratings");
      for (int d = 0; d < documents.size(); d++) {
        String place = where + ".ratings[" + d + "]";
        double rating = rating(place, documents.get(d));
        grades.add(query.asString(), documents.get(d).get("docId").asString(), rating, place);
      }
    }
    return grades.judgments(Map.of(), Map.of());
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
        // The loop's result is refused below.
      }
    }
    throw Failure.usage(where + ": expected a [docId] and a [rating] of 0 or more");
  }
}
