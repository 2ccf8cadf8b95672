// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.shard.EnsembleRescoreContext;
import java.util.List;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;

/**
 * Releases the memory budgets of a shard's clauses when its search context is closed, and reports
 * to the coordinating node if a clause ran out of time.
 */
final class BudgetListener implements SearchOperationListener {
  @Override
  public void onPreQueryPhase(SearchContext search) {
    clauses(search).forEach(clause -> begin(search, clause, false));
  }

  /**
   * Marks the search as terminated early if a clause ran out of time. The scores also show this,
   * but a search pipeline may change them. The mark is left out if the search requests no hits or
   * uses {@code terminate_after}, because the server then ignores it.
   */
  @Override
  public void onQueryPhase(SearchContext search, long tookInNanos) {
    if (search.size() > 0
        && search.terminateAfter() == SearchContext.DEFAULT_TERMINATE_AFTER
        && clauses(search).stream().anyMatch(EnsembleRescoreContext::isSpent)) {
      search.queryResult().terminatedEarly(true);
    }
  }

  @Override
  public void onPreFetchPhase(SearchContext search) {
    clauses(search).forEach(clause -> begin(search, clause, true));
  }

  private static void begin(SearchContext search, EnsembleRescoreContext clause, boolean page) {
    clause.begin(search, page);
    search.addReleasable(clause.budget());
    clause.budget().resume();
  }

  private static List<EnsembleRescoreContext> clauses(SearchContext search) {
    return EnsembleRescoreContext.among(search.rescore());
  }
}
