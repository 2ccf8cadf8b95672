// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.List;

/**
 * Batched query processing: the documents of several queries are scored as one batch, because an
 * engine with documents in lanes or bits costs as much for ten documents as for a full block. The
 * scores are those of each query alone, bit by bit.
 *
 * <p>Queries are joined in their order as long as they fit; one that by itself exceeds the limit is
 * scored where it stands. Columns are copied once, some nanoseconds per document and feature. One
 * thread at a time; buffers are kept. Measured here and used by nobody else: engines.md says why.
 *
 * <p>Source: Jin, Yang, Tang, "A Comparison of Cache Blocking Methods for Fast Execution of
 * Ensemble-based Score Computation", SIGIR 2016, section 5.4.
 */
final class BatchJoiner {
  /** A limit that suits all engines: the largest block of documents one has. */
  static final int MAX_DOCUMENTS = 512;

  private final EnsembleScorer scorer;
  private final Scratch scratch;
  private final int mostDocuments;
  private final FeatureMatrix joined;
  private final double[] joinedScores;

  /**
   * @param mostDocuments of a joined batch, 1 or more
   */
  BatchJoiner(EnsembleScorer scorer, int mostDocuments) {
    if (mostDocuments < 1) {
      throw new IllegalArgumentException(mostDocuments + " documents, expected 1 or more");
    }
    this.scorer = scorer;
    this.scratch = scorer.newScratch();
    this.mostDocuments = mostDocuments;
    this.joined = new FeatureMatrix(scorer.ensemble().featureNames().size(), mostDocuments);
    this.joinedScores = new double[mostDocuments];
  }

  /**
   * Scores the documents of all queries.
   *
   * @param queries one matrix per query, as for {@link EnsembleScorer#score}
   * @param scores receives, per query, one raw score per document
   * @throws IllegalArgumentException if there are not as many score arrays as queries, a matrix has
   *     another number of columns or an array is too short; some scores may have been written
   */
  void score(List<FeatureMatrix> queries, double[][] scores) {
    if (scores.length != queries.size()) {
      throw new IllegalArgumentException(
          scores.length + " arrays of scores for " + queries.size() + " queries");
    }
    int first = 0;
    while (first < queries.size()) {
      int end = first;
      int documents = 0;
      while (end < queries.size() && queries.get(end).documents() <= mostDocuments - documents) {
        scorer.checkArguments(queries.get(end), scores[end]);
        documents += queries.get(end).documents();
        end++;
      }
      if (end - first > 1) {
        join(queries.subList(first, end), documents, scores, first);
      } else {
        end = first + 1;
        scorer.score(queries.get(first), scratch, scores[first]);
      }
      first = end;
    }
  }

  private void join(List<FeatureMatrix> queries, int documents, double[][] scores, int first) {
    joined.reset(documents);
    for (int f = 0; f < joined.features(); f++) {
      int to = joined.column(f);
      for (FeatureMatrix query : queries) {
        System.arraycopy(query.values(), query.column(f), joined.values(), to, query.documents());
        to += query.documents();
      }
    }
    scorer.score(joined, scratch, joinedScores);
    int from = 0;
    for (int q = 0; q < queries.size(); q++) {
      int count = queries.get(q).documents();
      System.arraycopy(joinedScores, from, scores[first + q], 0, count);
      from += count;
    }
  }
}
