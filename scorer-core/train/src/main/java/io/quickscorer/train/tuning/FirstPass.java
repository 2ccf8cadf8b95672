// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.tuning;

import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One way to search without a model: a {@code multi_match} over text fields.
 *
 * @param type as {@code multi_match} names it
 * @param boost factor of the first field
 * @param tieBreaker factor of fields other than the best, from 0 to 1
 */
public record FirstPass(String type, int boost, double tieBreaker) {
  private static final JsonMapper JSON = new JsonMapper();

  /** The first pass that one would write without trying others. */
  public static final FirstPass PLAIN = new FirstPass("best_fields", 2, 0);

  /** First passes that one would try by hand before training a model. */
  public static final List<FirstPass> TUNED =
      List.of(
          new FirstPass("best_fields", 2, 0.3),
          new FirstPass("best_fields", 5, 0.3),
          new FirstPass("best_fields", 1, 0.3),
          new FirstPass("best_fields", 5, 0),
          new FirstPass("most_fields", 2, 0),
          new FirstPass("cross_fields", 2, 0));

  /**
   * Returns a description.
   *
   * @param fields one or more
   */
  public String describe(List<String> fields) {
    return type
        + " "
        + fields.getFirst()
        + "^"
        + boost
        + (tieBreaker > 0 ? " tie_breaker " + tieBreaker : "");
  }

  /** Returns the body of a search that returns the hits' ids. */
  public ObjectNode search(List<String> fields, String text, int size) {
    ObjectNode body = JSON.createObjectNode();
    ObjectNode match = body.putObject("query").putObject("multi_match");
    match.put("query", text).put("type", type);
    ArrayNode names = match.putArray("fields");
    for (String field : fields) {
      names.add(field.equals(fields.getFirst()) ? field + "^" + boost : field);
    }
    if (tieBreaker > 0) {
      match.put("tie_breaker", tieBreaker);
    }
    return body.put("size", size).put("_source", false);
  }
}
