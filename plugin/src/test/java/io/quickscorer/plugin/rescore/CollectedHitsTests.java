// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.FinalRules;
import io.quickscorer.plugin.rescore.clause.ModelNames;
import io.quickscorer.plugin.rescore.clause.OutsideWindow;
import io.quickscorer.plugin.rescore.clause.Scope;
import io.quickscorer.plugin.rescore.clause.ScoreCombination;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import io.quickscorer.scorer.Algorithm;
import java.util.List;
import java.util.Map;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.rescore.QueryRescorerBuilder;
import org.opensearch.search.rescore.RescorerBuilder;
import org.opensearch.test.OpenSearchTestCase;

public class CollectedHitsTests extends OpenSearchTestCase {
  private static RescorerBuilder<?> ours(OutsideWindow outside, int window) {
    ClauseOptions options =
        new ClauseOptions(
            ModelNames.of("m"),
            null,
            Map.of(),
            false,
            ScoreCombination.REPLACE,
            outside,
            false,
            Algorithm.AUTO,
            null,
            null,
            Scope.SHARD,
            FinalRules.NONE,
            List.of());
    return new EnsembleRescorerBuilder(options, () -> null).windowSize(window);
  }

  private static RescorerBuilder<?> servers() {
    return new QueryRescorerBuilder(QueryBuilders.matchAllQuery());
  }

  private static int collected(int from, int size, RescorerBuilder<?>... rescorers) {
    SearchSourceBuilder source = new SearchSourceBuilder().from(from).size(size);
    for (RescorerBuilder<?> rescorer : rescorers) {
      source.addRescorer(rescorer);
    }
    return Clauses.collected(source);
  }

  public void testEachMixingRescorerTakesItsWindowMore() {
    assertEquals(0, collected(20, 10, ours(OutsideWindow.KEEP_BELOW, 5)));
    assertEquals(0, collected(20, 10, ours(OutsideWindow.DROP, 500)));
    assertEquals(35, collected(20, 10, ours(OutsideWindow.MIX, 5)));
    assertEquals(530, collected(20, 10, ours(OutsideWindow.MIX, 500)));
    assertEquals(37, collected(20, 10, ours(OutsideWindow.MIX, 5), ours(OutsideWindow.MIX, 2)));
    assertEquals(45, collected(20, 10, servers(), ours(OutsideWindow.MIX, 5)));
    // What the second keeps below its window must be the same hits on every page.
    assertEquals(50, collected(20, 10, servers(), ours(OutsideWindow.KEEP_BELOW, 40)));
    // The page is drawn from the mixed window alone.
    assertEquals(
        0, collected(20, 10, ours(OutsideWindow.KEEP_BELOW, 50), ours(OutsideWindow.MIX, 5)));
  }

  public void testWhereNothingIsSaidTheServersDefaultsCount() {
    RescorerBuilder<?> clause = ours(OutsideWindow.MIX, 5);
    assertEquals(15, Clauses.collected(new SearchSourceBuilder().addRescorer(clause)));
  }

  public void testNeverOverflows() {
    int most = Integer.MAX_VALUE;
    assertEquals(most, collected(most, most, ours(OutsideWindow.MIX, most)));
  }
}
