// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.tuning;

import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A first pass: a search query that needs no model and finds the hits that a model can then rank.
 * It is a {@code multi_match} query on text fields.
 *
 * @param type the type of {@code multi_match}
 * @param boost the factor for the scores of the first field
 * @param tieBreaker the factor for the scores of fields other than the best one, 0 to 1
 */
public record FirstPass(String type, int boost, double tieBreaker) {
  private static final JsonMapper JSON = new JsonMapper();

  /** A query of an ordinary form. */
  public static final FirstPass PLAIN = new FirstPass("best_fields", 2, 0);

  /** The queries that {@code --tune-fields} tries, in this order. */
  public static final List<FirstPass> ALL =
      List.of(
          PLAIN,
          new FirstPass("best_fields", 2, 0.3),
          new FirstPass("best_fields", 5, 0.3),
          new FirstPass("best_fields", 1, 0.3),
          new FirstPass("best_fields", 5, 0),
          new FirstPass("most_fields", 2, 0),
          new FirstPass("cross_fields", 2, 0));

  /**
   * Returns a description of this query for users.
   *
   * @param fields the text fields, at least 1
   */
  public String describe(List<String> fields) {
    return type
        + " "
        + fields.getFirst()
        + "^"
        + boost
        + (tieBreaker > 0 ? " tie_breaker " + tieBreaker : "");
  }

  /**
   * Returns the body of a search whose response contains only the ids of the hits.
   *
   * @param size maximum number of hits
   */
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
