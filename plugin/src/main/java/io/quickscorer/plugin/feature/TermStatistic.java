// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

/**
 * A statistic of each distinct term of a text. DF, TTF and IDF are equal for all documents of a
 * shard; in a distributed search they are computed over all shards.
 */
enum TermStatistic {
  /** The number of documents with the term in the field. */
  DF,
  /** The number of occurrences of the term in the field in all documents. */
  TTF,
  /**
   * The inverse document frequency of BM25: {@code ln(1 + (N - df + 0.5) / (df + 0.5))}, where N is
   * the number of documents with the field.
   */
  IDF,
  /** The number of occurrences of the term in the document's field. */
  TF,
  /** The positions of the term in the document's field: 0 for the field's first word. */
  POSITION
}
