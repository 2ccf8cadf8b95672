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
 * Recognises queries that a rewrite by Lucene would not change ("settled" queries). The queries of
 * most features are settled. A rewrite takes as long as all look-ups of terms, so it is skipped.
 */
final class SettledQueries {
  /**
   * Maximum number of clauses of a query that is checked. The check compares every pair of clauses.
   */
  private static final int MAX_CLAUSES = 16;

  /** Maximum depth of a query that is checked, which limits the recursion. */
  private static final int MAX_DEPTH = 4;

  private SettledQueries() {}

  /**
   * Returns whether {@link IndexSearcher#rewrite} would return the query unchanged; false if only a
   * rewrite can tell.
   */
  static boolean isSettled(Query query) {
    int leaves = leaves(query, 0);
    return leaves > 0 && leaves <= IndexSearcher.getMaxClauseCount();
  }

  /**
   * Returns the number of queries inside a query that contain no further queries; 0 if a rewrite
   * would change the query.
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
   * Returns whether a rewrite would leave the query unchanged. A rewrite merges nested boosts,
   * removes a boost of 1, and replaces a boost of 0 by a constant score.
   */
  private static boolean isSettled(BoostQuery boosted) {
    return boosted.getBoost() != 0
        && boosted.getBoost() != 1
        && !(boosted.getQuery() instanceof BoostQuery);
  }

  /**
   * Returns whether a rewrite would leave the query unchanged. It does if the query has several
   * parts, and its tie breaker is not 1. (With a tie breaker of 1, the query would become a sum.)
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
   * Returns whether a rewrite would leave the query unchanged. It does if the clauses are distinct
   * terms that are all required, or of which fewer than all must match.
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
