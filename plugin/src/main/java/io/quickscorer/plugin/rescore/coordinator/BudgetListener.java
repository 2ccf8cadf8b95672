// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.coordinator;

import io.quickscorer.plugin.rescore.shard.EnsembleRescoreContext;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.rescore.RescoreContext;

/** Has the budgets of a shard's clauses held until its search context is closed. */
public final class BudgetListener implements SearchOperationListener {
  @Override
  public void onPreQueryPhase(SearchContext search) {
    hold(search);
  }

  @Override
  public void onPreFetchPhase(SearchContext search) {
    hold(search);
  }

  private static void hold(SearchContext search) {
    if (search.rescore() == null) {
      return;
    }
    for (RescoreContext rescore : search.rescore()) {
      if (rescore instanceof EnsembleRescoreContext clause) {
        search.addReleasable(clause.budget());
        clause.budget().resume();
      }
    }
  }
}
