// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import java.util.Map;

/**
 * A query with the grades of documents. A document without a grade has grade 0.
 *
 * @param id the id of the query
 * @param text the text that users search for
 * @param judgments the grades for evaluation, by document id; grade 0 means not relevant
 * @param labels the grades for training, by document id
 * @param params parameters of the query in addition to its text: numbers and strings, by name
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

  /** Creates a query without parameters. */
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

  /** Returns whether at least one document is relevant. */
  public boolean hasGoodAnswer() {
    return judgments.values().stream().anyMatch(grade -> grade > 0);
  }
}
