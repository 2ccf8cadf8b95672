// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

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
 * The query by which a search with global statistics collects the counts of a feature's terms. A
 * rewrite replaces it by a query for all terms of the feature's query. Used if the feature's own
 * query combines (blends) the counts of several terms, as {@code cross_fields} does: the server
 * stores one count per term, so the search's own query would get the blended counts too. Also used
 * if the feature itself reads the counts.
 */
final class GlobalStatistics extends Query {
  private final Query query;

  private GlobalStatistics(Query query) {
    this.query = query;
  }

  /**
   * Returns a query with the terms of a feature's query, with which the server collects the counts
   * of these terms. The result also has the feature's named queries ({@code _name}), which the
   * fetch phase uses.
   */
  static ParsedQuery bare(ParsedQuery feature) {
    return new ParsedQuery(new GlobalStatistics(feature.query()), feature.namedFilters());
  }

  @Override
  public Query rewrite(IndexSearcher searcher) {
    Set<Term> terms = new LinkedHashSet<>();
    query.visit(QueryVisitor.termCollector(terms));
    return new DisjunctionMaxQuery(terms.stream().map(TermQuery::new).toList(), 0);
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
    return other instanceof GlobalStatistics terms && query.equals(terms.query);
  }

  @Override
  public int hashCode() {
    return classHash() + query.hashCode();
  }
}
