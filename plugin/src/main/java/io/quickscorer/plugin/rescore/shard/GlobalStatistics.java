// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.TermQuery;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.query.ParsedQuery;

/**
 * Creates the query that collects the global term statistics for a feature whose query combines
 * (blends) the counts of several terms, such as {@code cross_fields}. Without it, a feature would
 * change scores of the search's own query: the server stores one count per term, and would use the
 * blended count in both.
 */
final class GlobalStatistics extends QueryVisitor {
  private final Set<Term> terms = new LinkedHashSet<>();

  private GlobalStatistics() {}

  /**
   * Returns a query that contains only the terms of a feature's query, to collect their statistics.
   * The fetch phase calls this method too, but uses only the names in the query.
   */
  static ParsedQuery bare(ParsedQuery feature) {
    return new ParsedQuery(new Terms(feature.query()), feature.namedFilters());
  }

  /**
   * A query that contains only the terms of another query. The terms are collected when the query
   * is rewritten.
   */
  private static final class Terms extends Query {
    private final Query query;

    Terms(Query query) {
      this.query = query;
    }

    @Override
    public Query rewrite(IndexSearcher searcher) {
      GlobalStatistics visitor = new GlobalStatistics();
      query.visit(visitor);
      return new DisjunctionMaxQuery(visitor.terms.stream().map(TermQuery::new).toList(), 0);
    }

    @Override
    public void visit(QueryVisitor visitor) {
      query.visit(visitor);
    }

    @Override
    public String toString(String field) {
      return "terms of " + query.toString(field);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Terms terms && query.equals(terms.query);
    }

    @Override
    public int hashCode() {
      return classHash() + query.hashCode();
    }
  }

  @Override
  public void consumeTerms(Query query, Term... found) {
    terms.addAll(Arrays.asList(found));
  }
}
