// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.opensearch.lucene.queries.BlendedTermQuery;

/**
 * Counts the terms and other clauses of the queries that it visits, and detects whether a query
 * blends (combines) the statistics of its terms.
 */
final class ClauseCount extends QueryVisitor {
  private long sum;
  private boolean blends;

  public long sum() {
    return sum;
  }

  /**
   * Returns whether any query visited since the last call of this method blends the statistics of
   * its terms.
   */
  public boolean takeBlends() {
    boolean found = blends;
    blends = false;
    return found;
  }

  @Override
  public void consumeTerms(Query query, Term... terms) {
    sum += terms.length;
  }

  @Override
  public void visitLeaf(Query query) {
    sum++;
  }

  @Override
  public QueryVisitor getSubVisitor(Occur occur, Query parent) {
    sum++;
    blends |= parent instanceof BlendedTermQuery;
    return this;
  }
}
