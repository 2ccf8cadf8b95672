// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lucene.search.function.CombineFunction;
import org.opensearch.common.lucene.search.function.FunctionScoreQuery;
import org.opensearch.common.lucene.search.function.LeafScoreFunction;
import org.opensearch.common.lucene.search.function.ScoreFunction;

/**
 * Computes the scores of a {@code function_score} query with one function, by direct calls of the
 * server's function for each document. Field values are decoded once, and shared by all functions
 * ({@link SharedReader}).
 */
final class FunctionNode extends ScoreNode {
  private final IndexSearcher searcher;
  private final FunctionScoreQuery query;
  private final float boost;
  private final ScoreNode matches;
  private final ScoreFunction function;
  private final boolean needsScores;
  private @Nullable LeafReaderContext segment;
  private @Nullable LeafScoreFunction leaf;

  /**
   * Creates the object that scores one query.
   *
   * @param query a query that {@link #supports} accepts
   * @param boost the factor by which scores are multiplied
   * @param matches computes the scores of the inner query
   */
  FunctionNode(IndexSearcher searcher, FunctionScoreQuery query, float boost, ScoreNode matches) {
    this.searcher = searcher;
    this.query = query;
    this.boost = boost;
    this.matches = matches;
    this.function = query.getFunctions()[0];
    this.needsScores =
        query.getCombineFunction() != CombineFunction.REPLACE || function.needsScores();
  }

  /**
   * Returns whether this class can compute a query: it has one function, no filter, and no rarely
   * used option.
   */
  static boolean supports(FunctionScoreQuery query) {
    return query.getFunctions().length == 1
        && !(query.getFunctions()[0] instanceof FunctionScoreQuery.FilterScoreFunction)
        && query.getMinScore() == null
        // Some options have no getter, so the query is compared with a copy that lacks these
        // options.
        && query.equals(
            new FunctionScoreQuery(
                query.getSubQuery(),
                query.getFunctions()[0],
                query.getCombineFunction(),
                null,
                FunctionScoreQuery.DEFAULT_MAX_BOOST));
  }

  @Override
  void segment(LeafReaderContext segment, int documents) throws IOException {
    present = matches.present;
    this.segment = segment;
    leaf = present ? function.getLeafScoreFunction(segment) : null;
  }

  @Override
  boolean block(Block block) throws IOException {
    LeafScoreFunction current = leaf;
    if (current == null || !matches.some) {
      return false;
    }
    allocate(block);
    CombineFunction combine = query.getCombineFunction();
    for (int i = 0; i < block.size(); i++) {
      float inner = matches.scores[i];
      if (Float.isNaN(inner)) {
        scores[i] = Float.NaN;
        continue;
      }
      int doc = block.doc(i);
      float used = needsScores ? inner : 0;
      float score =
          combine.combine(used, current.score(doc, used), FunctionScoreQuery.DEFAULT_MAX_BOOST);
      scores[i] = score >= 0 ? score : refused(doc);
    }
    return true;
  }

  /**
   * Computes the score of a document by the server's own scorer, after the function's score was
   * negative or infinite. The server's scorer normally throws an exception for such a score.
   *
   * @return the scorer's score, if it throws none
   */
  private float refused(int doc) throws IOException {
    LeafReaderContext current = segment;
    if (current == null) {
      throw new IllegalStateException(
          "internal error: a document was scored before a segment was set; report this as a bug");
    }
    Scorer scorer = searcher.createWeight(query, ScoreMode.COMPLETE, boost).scorer(current);
    if (scorer == null || scorer.iterator().advance(doc) != doc) {
      throw new IllegalStateException("document " + doc + " does not match " + query);
    }
    return scorer.score();
  }

  /** Computes the scores of a {@link MatchAllDocsQuery}, which are equal for all documents. */
  static final class All extends ScoreNode {
    private final float score;

    All(float score) {
      this.score = score;
    }

    @Override
    void segment(LeafReaderContext segment, int documents) {
      present = true;
    }

    @Override
    boolean block(Block block) {
      allocate(block);
      Arrays.fill(scores, 0, block.size(), score);
      return true;
    }
  }
}
