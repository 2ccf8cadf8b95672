// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.rescore.clause.TimeBudget;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.IndexSearcher;
import org.opensearch.test.OpenSearchTestCase;

/** By a clock of the test's own. */
public class ShardBudgetTests extends OpenSearchTestCase {
  private static final TimeBudget BUDGET = new TimeBudget(10, false);

  private final AtomicLong now = new AtomicLong(17);

  public void testWhatComesAfterItCostsNothing() throws Exception {
    IndexSearcher searcher = new IndexSearcher(new MultiReader());
    QueryTimeout own = () -> false;
    searcher.setTimeout(own);
    ShardBudget budget = new ShardBudget(searcher, BUDGET, 4_000_000, now::get);
    now.addAndGet(5_000_000);
    assertFalse(searcher.getTimeout().shouldExit());
    assertEquals(5_000_000, budget.spentNanos());
    budget.close();
    now.addAndGet(90_000_000);
    assertSame(own, searcher.getTimeout());
    budget.close();
    assertEquals(5_000_000, budget.spentNanos());
  }

  public void testItIsSpent() throws Exception {
    IndexSearcher searcher = new IndexSearcher(new MultiReader());
    try (ShardBudget ignored = new ShardBudget(searcher, BUDGET, 4_000_000, now::get)) {
      now.addAndGet(6_000_000);
      expectThrows(ShardBudget.SpentException.class, () -> searcher.getTimeout().shouldExit());
    }
    assertNull(searcher.getTimeout());
  }
}
