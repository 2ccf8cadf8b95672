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
 * Creates the query with which a distributed search collects the term statistics of a feature's
 * query that blends (combines) them. A blending query ({@code cross_fields}) looks up its terms
 * with blended counts. The server keeps one count per term and would use the blended counts for the
 * first pass too, so that a feature would change first-pass scores.
 */
final class GlobalStatistics extends QueryVisitor {
  private final Set<Term> terms = new LinkedHashSet<>();

  private GlobalStatistics() {}

  /**
   * Returns the query for collecting the statistics of a blending query. The fetch phase calls this
   * too, but uses only the query's names.
   */
  static ParsedQuery bare(ParsedQuery feature) {
    return new ParsedQuery(new Terms(feature.query()), feature.namedFilters());
  }

  /** A query that contains only the terms of another query, collected when it is rewritten. */
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
