// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.shard.EnsembleRescoreContext;
import io.quickscorer.plugin.rescore.shard.PageFetch;
import java.util.List;
import java.util.stream.Stream;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;

/**
 * Prepares and completes rescoring on a shard, in the query phase and the fetch phase of a search.
 * It adds the rescoring times to the search's profile, releases memory budgets, and tells the
 * coordinating node if the time was not sufficient. It makes the fetch phase leave out hits that
 * cannot be on the response's page.
 */
final class PhaseListener implements SearchOperationListener {
  @Override
  public void onPreQueryPhase(SearchContext search) {
    for (EnsembleRescoreContext clause : clauses(search)) {
      begin(search, clause, false);
      if (search.getProfilers() != null) {
        clause.startProfile();
      }
    }
  }

  /**
   * Marks the response as "terminated early" if the rescoring ran out of time. The scores show this
   * too, but a search pipeline may change scores. A search that asks for no hits or has {@code
   * terminate_after} gets no mark, because its response may have the mark for other reasons.
   */
  @Override
  public void onQueryPhase(SearchContext search, long tookInNanos) {
    List<EnsembleRescoreContext> clauses = clauses(search);
    if (search.size() > 0
        && search.terminateAfter() == SearchContext.DEFAULT_TERMINATE_AFTER
        && clauses.stream().anyMatch(EnsembleRescoreContext::isSpent)) {
      search.queryResult().terminatedEarly(true);
    }
    EnsembleRescoreContext.addProfiles(search.queryResult(), clauses);
  }

  @Override
  public void onPreFetchPhase(SearchContext search) {
    List<EnsembleRescoreContext> clauses = clauses(search);
    clauses.forEach(clause -> begin(search, clause, true));
    pageFetches(clauses).forEach(fetch -> fetch.begin(search));
  }

  /**
   * Adds the hits that were not fetched, and the clauses' profiles again: if a search has only one
   * shard, the server replaces the profile after the fetch phase.
   */
  @Override
  public void onFetchPhase(SearchContext search, long tookInNanos) {
    List<EnsembleRescoreContext> clauses = clauses(search);
    pageFetches(clauses).forEach(fetch -> fetch.end(search));
    EnsembleRescoreContext.addProfiles(search.queryResult(), clauses);
  }

  private static List<PageFetch> pageFetches(List<EnsembleRescoreContext> clauses) {
    return clauses.stream().flatMap(clause -> Stream.ofNullable(clause.pageFetch())).toList();
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
