// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.ScoreCombination;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;

/** Computes which hits a response with a ranking over all shards can show. Stateless. */
final class ShownPage {
  private ShownPage() {}

  /**
   * Returns the number of best hits that the response can show; 0 if the response can show any hit
   * that the shards return, if the order of the hits depends on more than the sums of the model's
   * trees, or if another plugin may read the hits.
   *
   * @param clause the search's last clause, which ranks the hits of all shards together
   */
  static int hits(SearchSourceBuilder source, EnsembleRescorerBuilder clause) {
    ClauseOptions options = clause.options();
    long page = Clauses.pageEnd(source);
    int window = Clauses.window(clause);
    return page < window
            && Clauses.collectedGlobally(source, clause) == window
            && options.featureSet() == null
            && options.combination().mode() == ScoreCombination.Mode.REPLACE
            && options.rules().expression() == null
            && options.allUseOwnEngines()
            && !options.transformed()
            && !clause.isStanding()
            && source.collapse() == null
            && source.suggest() == null
            && source.ext().stream().allMatch(RequestExt.class::isInstance)
        ? (int) page
        : 0;
  }
}
