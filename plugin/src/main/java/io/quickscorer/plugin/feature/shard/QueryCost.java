// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.opensearch.common.lucene.search.function.FunctionScoreQuery;
import org.opensearch.common.lucene.search.function.ScoreFunction;
import org.opensearch.lucene.queries.BlendedTermQuery;
import org.opensearch.search.approximate.ApproximateScoreQuery;

/**
 * Counts the clauses (terms and other parts) of the queries that it visits, and determines whether
 * their time depends on the number of documents.
 */
final class QueryCost extends QueryVisitor {
  private long clauses;
  private boolean blends;
  private boolean perDocument = true;

  /** Returns the number of clauses (terms and other parts) of all queries visited so far. */
  long clauses() {
    return clauses;
  }

  /**
   * Returns whether any of the queries visited since the last call of this method combines (blends)
   * the statistics of its terms.
   */
  boolean takeBlends() {
    boolean found = blends;
    blends = false;
    return found;
  }

  /**
   * Returns whether each query's time is proportional to the number of documents; false if this is
   * unknown. Some queries first process a whole segment: ranges collect points, prefixes collect
   * terms. If several threads shared the documents, each thread would repeat this work.
   */
  boolean isPerDocument() {
    return perDocument;
  }

  @Override
  public void consumeTerms(Query query, Term... terms) {
    clauses += terms.length;
  }

  @Override
  public void visitLeaf(Query query) {
    clauses++;
    perDocument &=
        query instanceof MatchAllDocsQuery
            || query instanceof MatchNoDocsQuery
            || query instanceof FieldExistsQuery;
  }

  @Override
  public QueryVisitor getSubVisitor(Occur occur, Query parent) {
    clauses++;
    blends |= parent instanceof BlendedTermQuery;
    if (parent instanceof FunctionScoreQuery scored) {
      for (ScoreFunction function : scored.getFunctions()) {
        // The visitor does not visit the function's filter, so its cost is unknown.
        perDocument &= !(function instanceof FunctionScoreQuery.FilterScoreFunction);
      }
    }
    if (parent instanceof ApproximateScoreQuery query) {
      // Lucene uses the approximation, which is one more clause, only to collect a page of hits.
      clauses++;
      query.getOriginalQuery().visit(this);
      return EMPTY_VISITOR;
    }
    return this;
  }
}
