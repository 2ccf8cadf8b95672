// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.template;

import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;

/** Counts the terms and other clauses of the queries it visits. */
public final class ClauseCount extends QueryVisitor {
  private long sum;

  public long sum() {
    return sum;
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
    return this;
  }
}
