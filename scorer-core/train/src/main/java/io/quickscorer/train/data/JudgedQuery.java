// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import java.util.Map;

/**
 * One query with grades of documents; a document that is absent has grade 0.
 *
 * @param judgments grades by document id, for evaluation; 0 is not relevant
 * @param labels grades by document id, for learning: the judgments, or clicks in the generated
 *     catalogue
 * @param params the query's own parameters, numbers and texts, in addition to its text
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

  /** A query without its own parameters. */
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

  /** Returns whether a document is relevant; otherwise the query says nothing about a ranking. */
  public boolean hasGoodAnswer() {
    return judgments.values().stream().anyMatch(grade -> grade > 0);
  }
}
