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

/** Visits queries: counts their clauses, and finds properties on which their time depends. */
final class QueryCost extends QueryVisitor {
  private long clauses;
  private boolean blends;
  private boolean perDocument = true;

  /** Returns the number of clauses (terms and other parts) of all queries visited so far. */
  long clauses() {
    return clauses;
  }

  /**
   * Returns whether any query visited since this method's last call combines (blends) the
   * statistics of its terms, as a {@link BlendedTermQuery} does.
   */
  boolean takeBlends() {
    boolean found = blends;
    blends = false;
    return found;
  }

  /**
   * Returns whether the time of all visited queries is proportional to the number of documents.
   * Other queries, such as ranges and prefixes, first process a whole segment (a part of the
   * index). Each additional thread would repeat this work.
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
