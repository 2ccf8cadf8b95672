// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

/**
 * A statistic of each distinct term of a text. The first three are the same for all documents of a
 * shard; in a distributed search they are computed over all shards.
 */
enum TermStatistic {
  /** Documents whose field has the term. */
  DF,
  /** Occurrences of the term in all documents. */
  TTF,
  /**
   * {@code ln(1 + (N - df + 0.5) / (df + 0.5))} with N the documents that have the field, as BM25
   * weighs it.
   */
  IDF,
  /** Occurrences of the term in the document's field. */
  TF,
  /** Positions of the terms in the document's field, from 0. */
  POSITION
}
