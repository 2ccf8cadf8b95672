// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.opensearch.common.lucene.search.function.FunctionScoreQuery;
import org.opensearch.common.lucene.search.function.ScoreFunction;
import org.opensearch.search.approximate.ApproximateScoreQuery;

/**
 * Determines whether the time for computing a query's scores is proportional to the number of
 * documents. Some queries first process a whole segment, even for few documents: ranges collect
 * points, prefixes collect terms, and nearest-neighbour queries search a graph of vectors. If
 * several threads shared the documents, each thread would repeat this work.
 */
final class DocumentCost extends QueryVisitor {
  private boolean all = true;

  /**
   * Returns whether the time for each visited query is proportional to the number of documents;
   * false if this is unknown.
   */
  public boolean isPerDocument() {
    return all;
  }

  /** Determines the cost of a query that has no terms and no inner queries. */
  @Override
  public void visitLeaf(Query query) {
    all &=
        query instanceof MatchAllDocsQuery
            || query instanceof MatchNoDocsQuery
            || query instanceof FieldExistsQuery;
  }

  @Override
  public QueryVisitor getSubVisitor(Occur occur, Query parent) {
    if (parent instanceof FunctionScoreQuery scored) {
      for (ScoreFunction function : scored.getFunctions()) {
        // The visitor does not visit the function's filter, so its cost is unknown.
        all &= !(function instanceof FunctionScoreQuery.FilterScoreFunction);
      }
    }
    if (parent instanceof ApproximateScoreQuery query) {
      // Checks the original query: Lucene uses the approximation only to collect a page of hits.
      query.getOriginalQuery().visit(this);
      return EMPTY_VISITOR;
    }
    return this;
  }
}
