// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import java.util.List;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/**
 * Recognises queries that Lucene's {@link IndexSearcher#rewrite} would not change ("settled"), such
 * as those of most features. For these, the rewrite is skipped, to save time.
 */
final class SettledQueries {
  /**
   * Maximum number of clauses of a query that is checked; the check compares every pair of clauses.
   */
  private static final int MAX_CLAUSES = 16;

  private static final int MAX_DEPTH = 4;

  private SettledQueries() {}

  /** Returns whether {@link IndexSearcher#rewrite} would not change the query; false if unknown. */
  static boolean isSettled(Query query) {
    int leaves = leaves(query, 0);
    return leaves > 0 && leaves <= IndexSearcher.getMaxClauseCount();
  }

  /**
   * Returns the number of innermost queries, which contain no other queries; 0 if a rewrite would
   * change the query.
   *
   * @param depth the number of queries around the query
   */
  private static int leaves(Query query, int depth) {
    return switch (query) {
      case TermQuery term -> 1;
      case PhraseQuery phrase ->
          phrase.getTerms().length > 1 && phrase.getPositions()[0] == 0 ? 1 : 0;
      case BooleanQuery bool -> isSettled(bool) ? bool.clauses().size() : 0;
      case BoostQuery boosted ->
          depth < MAX_DEPTH && isSettled(boosted) ? leaves(boosted.getQuery(), depth + 1) : 0;
      case DisjunctionMaxQuery max -> depth < MAX_DEPTH && isSettled(max) ? sum(max, depth) : 0;
      default -> 0;
    };
  }

  /**
   * Returns whether a rewrite would not change the query: its boost is neither 0 nor 1, and it
   * contains no other boost.
   */
  private static boolean isSettled(BoostQuery boosted) {
    return boosted.getBoost() != 0
        && boosted.getBoost() != 1
        && !(boosted.getQuery() instanceof BoostQuery);
  }

  /**
   * Returns whether a rewrite would not change the query: it has several parts, and its tie breaker
   * (the factor of all scores except the highest) is not 1.
   */
  private static boolean isSettled(DisjunctionMaxQuery max) {
    return max.getDisjuncts().size() > 1 && max.getTieBreakerMultiplier() != 1;
  }

  private static int sum(DisjunctionMaxQuery max, int depth) {
    int sum = 0;
    for (Query disjunct : max.getDisjuncts()) {
      int leaves = leaves(disjunct, depth + 1);
      if (leaves == 0) {
        return 0;
      }
      sum += leaves;
    }
    return sum;
  }

  /**
   * Returns whether a rewrite would not change the query: its clauses are distinct terms. Either
   * all are required, or all are optional and the minimum number of matches is below the number of
   * clauses.
   */
  private static boolean isSettled(BooleanQuery bool) {
    List<BooleanClause> clauses = bool.clauses();
    int count = clauses.size();
    int atLeast = bool.getMinimumNumberShouldMatch();
    if (count < 2 || count > MAX_CLAUSES) {
      return false;
    }
    Occur occur = clauses.getFirst().occur();
    if (occur == Occur.SHOULD ? atLeast >= count : occur != Occur.MUST || atLeast > 0) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      BooleanClause clause = clauses.get(i);
      if (clause.occur() != occur || !(clause.query() instanceof TermQuery term)) {
        return false;
      }
      for (int j = 0; j < i; j++) {
        if (term.equals(clauses.get(j).query())) {
          return false;
        }
      }
    }
    return true;
  }
}
