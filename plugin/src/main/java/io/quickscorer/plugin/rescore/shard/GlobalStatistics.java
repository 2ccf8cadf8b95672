// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.feature.shard.ShardFeatures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
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
 * query. It is the feature's query itself, or a query for its terms if it blends (combines) their
 * statistics. A blending query ({@code cross_fields}) looks up its terms with blended counts. The
 * server keeps one count per term and would use the blended counts for the first pass too, so that
 * a feature would change first-pass scores.
 */
final class GlobalStatistics extends QueryVisitor {
  private final Set<Term> terms = new LinkedHashSet<>();

  private GlobalStatistics() {}

  /**
   * Returns the queries for collecting the term statistics of all features. The fetch phase calls
   * this too, but uses only the queries' names.
   */
  static List<ParsedQuery> sources(ShardFeatures features) {
    List<ParsedQuery> sources = new ArrayList<>(features.queries());
    for (int q = 0; q < sources.size(); q++) {
      if (features.blends(q)) {
        sources.set(q, bare(sources.get(q)));
      }
    }
    return sources;
  }

  private static ParsedQuery bare(ParsedQuery feature) {
    return new ParsedQuery(new Terms(feature.query()), feature.namedFilters());
  }

  /**
   * A query that contains only the terms of another query. The terms are collected when this query
   * is rewritten, because the fetch phase does not need them.
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
