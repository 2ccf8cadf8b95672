// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import io.quickscorer.demo.corpus.Corpus.Fields;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One way to search without a model: a {@code multi_match} over all text fields.
 *
 * @param type as {@code multi_match} names it
 * @param titleBoost how many times the title counts
 * @param tieBreaker what fields besides the best one count, from 0 to 1
 */
record FirstPass(String type, int titleBoost, double tieBreaker) {
  private static final JsonMapper JSON = new JsonMapper();

  /** As one would write it without trying anything. */
  static final FirstPass PLAIN = new FirstPass("best_fields", 2, 0);

  /**
   * What one would try by hand before training a model. The first is the best known on the movies
   * corpus.
   */
  static final List<FirstPass> TUNED =
      List.of(
          new FirstPass("best_fields", 2, 0.3),
          new FirstPass("best_fields", 5, 0.3),
          new FirstPass("best_fields", 1, 0.3),
          new FirstPass("best_fields", 5, 0),
          new FirstPass("most_fields", 2, 0),
          new FirstPass("cross_fields", 2, 0));

  String describe() {
    return type + " title^" + titleBoost + (tieBreaker > 0 ? " tie_breaker " + tieBreaker : "");
  }

  ObjectNode search(Fields fields, String text, int size) {
    ObjectNode body = JSON.createObjectNode();
    ObjectNode match = body.putObject("query").putObject("multi_match");
    match.put("query", text).put("type", type);
    ArrayNode names = match.putArray("fields");
    fields
        .text()
        .forEach(name -> names.add(name.equals(fields.title()) ? name + "^" + titleBoost : name));
    if (tieBreaker > 0) {
      match.put("tie_breaker", tieBreaker);
    }
    return body.put("size", size).put("_source", false);
  }
}
