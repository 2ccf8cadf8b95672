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
 * {@code function_score} with one function. The server's own function is called for each document,
 * without the scorers around it. Field values come from the window's columns, which all functions
 * share ({@link SharedTermsReader}).
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
   * @param query as {@link #supports} takes it
   * @param matches its inner query
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

  /** Returns whether a query has one function without a filter, and none of the rarer options. */
  static boolean supports(FunctionScoreQuery query) {
    return query.getFunctions().length == 1
        && !(query.getFunctions()[0] instanceof FunctionScoreQuery.FilterScoreFunction)
        && query.getMinScore() == null
        // Not all that makes up the query can be asked for; a twin without the rest must be equal.
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
   * Computes a score that the server does not accept with the server's own scorer, which throws the
   * server's error.
   */
  private float refused(int doc) throws IOException {
    LeafReaderContext current = segment;
    if (current == null) {
      throw new IllegalStateException("a document was scored before a segment was set");
    }
    Scorer scorer = searcher.createWeight(query, ScoreMode.COMPLETE, boost).scorer(current);
    if (scorer == null || scorer.iterator().advance(doc) != doc) {
      throw new IllegalStateException("document " + doc + " does not match " + query);
    }
    return scorer.score();
  }

  /** Every document, with the same score; {@link MatchAllDocsQuery}. */
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
