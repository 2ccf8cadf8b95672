// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.shard.EnsembleRescoreContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.rescore.RescoreContext;
import org.opensearch.search.suggest.SortBy;
import org.opensearch.search.suggest.Suggest;
import org.opensearch.search.suggest.Suggest.Suggestion;
import org.opensearch.search.suggest.Suggest.Suggestion.Entry;
import org.opensearch.search.suggest.term.TermSuggestion;

/**
 * Has the budgets of a shard's clauses held until its search context is closed, and tells the
 * coordinating node of a clause whose time was up.
 */
final class BudgetListener implements SearchOperationListener {
  /** The name of the suggestion that marks the answer of a shard whose time was up. */
  private static final String SPENT = "_quickscorer_budget_spent";

  @Override
  public void onPreQueryPhase(SearchContext search) {
    forEachClause(search, clause -> begin(search, clause, false));
  }

  /**
   * Adds the mark to the shard's suggestions, the one part of its answer that has room for it. The
   * server reads the suggestions of all shards or of none, so that a shard in time has some too.
   */
  @Override
  public void onQueryPhase(SearchContext search, long tookInNanos) {
    forEachClause(
        search,
        clause -> {
          if (clause.options().budget() != null) {
            Suggest own = search.queryResult().suggest();
            List<Suggestion<? extends Entry<? extends Entry.Option>>> all = new ArrayList<>();
            if (own != null) {
              own.forEach(all::add);
            }
            if (clause.isSpent()) {
              all.add(new TermSuggestion(SPENT, 0, SortBy.SCORE));
            }
            search.queryResult().suggest(new Suggest(all));
          }
        });
  }

  /** Whether the time of some shard was up. Such an answer mixes first-pass and model scores. */
  static boolean isSpent(SearchResponse answer) {
    return answer.getSuggest() != null && answer.getSuggest().getSuggestion(SPENT) != null;
  }

  @Override
  public void onPreFetchPhase(SearchContext search) {
    forEachClause(search, clause -> begin(search, clause, true));
  }

  private static void begin(SearchContext search, EnsembleRescoreContext clause, boolean page) {
    clause.begin(search, page);
    search.addReleasable(clause.budget());
    clause.budget().resume();
  }

  private static void forEachClause(SearchContext search, Consumer<EnsembleRescoreContext> action) {
    if (search.rescore() == null) {
      return;
    }
    for (RescoreContext rescore : search.rescore()) {
      if (rescore instanceof EnsembleRescoreContext clause) {
        action.accept(clause);
      }
    }
  }
}
