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
 * Tells queries that Lucene would rewrite to themselves. Most features' queries are such: words in
 * one field, and the best of several fields. To find out that nothing is to be done Lucene puts all
 * their clauses into hash tables, which costs as much as all look-ups of terms.
 */
final class SettledQueries {
  /** Clauses of one query that are compared, each with each. */
  private static final int MAX_CLAUSES = 16;

  /** Queries inside one another; bounds the recursion. */
  private static final int MAX_DEPTH = 4;

  private SettledQueries() {}

  /**
   * Whether {@link IndexSearcher#rewrite} returns this very query.
   *
   * @return false if it does not, or if only a rewrite would tell
   */
  static boolean isSettled(Query query) {
    int leaves = leaves(query, 0);
    return leaves > 0 && leaves <= IndexSearcher.getMaxClauseCount();
  }

  /** How many leaves a settled query has, 0 for one that is not. */
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

  /** Boosts of boosts become one, one of 1 goes, and one of 0 makes a constant score. */
  private static boolean isSettled(BoostQuery boosted) {
    return boosted.getBoost() != 0
        && boosted.getBoost() != 1
        && !(boosted.getQuery() instanceof BoostQuery);
  }

  /** With a tie breaker of 1 it becomes a sum. */
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

  /** Different terms that are all required, or of which some are to match but not all. */
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
