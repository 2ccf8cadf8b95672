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
 * Creates the query by which a search with global statistics collects the counts of a feature's
 * terms. Used if the feature's own query combines (blends) the counts of several terms, as {@code
 * cross_fields} does: the server stores one count per term, so the search's own query would get the
 * blended counts too. Also used if the feature itself reads the counts.
 */
final class GlobalStatistics extends QueryVisitor {
  private final Set<Term> terms = new LinkedHashSet<>();

  private GlobalStatistics() {}

  /**
   * Returns a query with the terms of a feature's query, with which the server collects the counts
   * of these terms. The result also has the feature's named queries ({@code _name}), which the
   * fetch phase uses.
   */
  static ParsedQuery bare(ParsedQuery feature) {
    return new ParsedQuery(new Terms(feature.query()), feature.namedFilters());
  }

  /**
   * Wraps a query. A rewrite replaces this object by a query for all terms of the wrapped query.
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
