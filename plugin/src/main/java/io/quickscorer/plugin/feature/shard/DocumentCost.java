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
 * Finds out whether the cost of a query's scores is proportional to the number of documents. Other
 * queries first do work for a whole segment, even for few documents: ranges collect points,
 * prefixes terms, nearest neighbours a graph. Several threads would each repeat this work.
 */
final class DocumentCost extends QueryVisitor {
  private boolean all = true;

  /**
   * Returns whether the cost of all visited queries is in proportion to the documents; false if it
   * is unknown.
   */
  public boolean isPerDocument() {
    return all;
  }

  /** Checks a query without terms; other methods visit terms. */
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
        // Its filter is no part of what is visited.
        all &= !(function instanceof FunctionScoreQuery.FilterScoreFunction);
      }
    }
    if (parent instanceof ApproximateScoreQuery query) {
      // What stands in for it is for searches that collect a page.
      query.getOriginalQuery().visit(this);
      return EMPTY_VISITOR;
    }
    return this;
  }
}
