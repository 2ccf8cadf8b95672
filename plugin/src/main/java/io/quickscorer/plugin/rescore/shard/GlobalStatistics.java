// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.TermQuery;
import org.opensearch.index.query.ParsedQuery;
import org.opensearch.lucene.queries.BlendedTermQuery;

/**
 * What a distributed search gathers the statistics of a feature's terms from: the feature's query,
 * or its bare terms if it blends. A blending query ({@code cross_fields}) looks its terms up with
 * counts mixed over its fields; the server keeps one count per term and would use these for the
 * first pass as well, so that a feature changed the very scores it is meant to judge.
 */
final class GlobalStatistics extends QueryVisitor {
  private final Set<Term> terms = new LinkedHashSet<>();
  private boolean blends;

  private GlobalStatistics() {}

  static ParsedQuery source(ParsedQuery feature) {
    GlobalStatistics visitor = new GlobalStatistics();
    feature.query().visit(visitor);
    if (!visitor.blends) {
      return feature;
    }
    Query bare = new DisjunctionMaxQuery(visitor.terms.stream().map(TermQuery::new).toList(), 0);
    return new ParsedQuery(bare, feature.namedFilters());
  }

  @Override
  public QueryVisitor getSubVisitor(Occur occur, Query parent) {
    if (parent instanceof BlendedTermQuery) {
      blends = true;
    }
    return super.getSubVisitor(occur, parent);
  }

  @Override
  public void consumeTerms(Query query, Term... found) {
    terms.addAll(Arrays.asList(found));
  }
}
