// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import java.util.Map;

/**
 * One query with what is known about its answers; a document that a map does not name has grade 0.
 *
 * @param judgments grades by document id, by which rankings are judged; 0 is bad
 * @param labels grades by document id from which a model may learn: the judgments themselves where
 *     there is nothing else, and what shoppers clicked in the generated catalogue
 * @param params the query's own parameters, numbers and texts, besides its text
 */
public record JudgedQuery(
    String id,
    String text,
    Map<String, Integer> judgments,
    Map<String, Integer> labels,
    Map<String, Object> params) {
  public JudgedQuery {
    judgments = Map.copyOf(judgments);
    labels = Map.copyOf(labels);
    params = Map.copyOf(params);
  }

  /** Without parameters of its own. */
  public JudgedQuery(
      String id, String text, Map<String, Integer> judgments, Map<String, Integer> labels) {
    this(id, text, judgments, labels, Map.of());
  }

  public static JudgedQuery of(String id, String text, Map<String, Integer> judgments) {
    return new JudgedQuery(id, text, judgments, judgments);
  }

  public int grade(String document) {
    return judgments.getOrDefault(document, 0);
  }

  public int label(String document) {
    return labels.getOrDefault(document, 0);
  }

  /** A query without a good answer says nothing about a ranking. */
  public boolean hasGoodAnswer() {
    return judgments.values().stream().anyMatch(grade -> grade > 0);
  }
}
