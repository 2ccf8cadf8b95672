// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.rescore.shard.LoggedRows;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.search.internal.ShardSearchContextId;
import org.opensearch.test.OpenSearchTestCase;

public class LoggedRowStoreTests extends OpenSearchTestCase {
  private final CircuitBreaker breaker =
      new HierarchyCircuitBreakerService(
              Settings.EMPTY,
              List.of(),
              new ClusterSettings(Settings.EMPTY, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS))
          .getBreaker(CircuitBreaker.REQUEST);

  private LoggedRows rows(int[] docs, int features) {
    FeatureMatrix matrix = new FeatureMatrix(features, docs.length);
    double[][] scores = new double[2][docs.length];
    for (int i = 0; i < docs.length; i++) {
      scores[0][i] = -docs[i];
      scores[1][i] = 2 * docs[i];
      for (int f = 0; f < features; f++) {
        matrix.set(i, f, docs[i] * 100 + f);
      }
    }
    MemoryCharge charge =
        MemoryCharge.take(breaker, LoggedRows.bytes(docs.length, features, 2), "test");
    return LoggedRows.of(docs, List.of(matrix), features, scores, charge);
  }

  public void testRowsThatNobodyFetchesExpire() {
    AtomicLong clock = new AtomicLong(randomLong());
    LoggedRowStore store = new LoggedRowStore(() -> Long.MAX_VALUE, clock::get);
    store.put(new ShardSearchContextId("s", 1), "a", List.of(rows(new int[] {1, 5}, 3)));
    clock.addAndGet(LoggedRowStore.EXPIRY / 2);
    store.put(new ShardSearchContextId("s", 1), "b", List.of(rows(new int[] {2}, 3)));
    store.sweep();
    assertEquals(2, store.size());
    clock.addAndGet(LoggedRowStore.EXPIRY / 2);
    store.sweep();
    assertEquals(1, store.size());
    assertEquals(LoggedRows.bytes(1, 3, 2), breaker.getUsed());
    clock.addAndGet(LoggedRowStore.EXPIRY);
    store.sweep();
    assertEquals(0, store.size());
    assertEquals(0, breaker.getUsed());
  }

  public void testTheOldestRowsMakeRoom() {
    long each = LoggedRows.bytes(2, 3, 2);
    LoggedRowStore store = new LoggedRowStore(() -> 3 * each, () -> 0);
    for (int i = 0; i < 10; i++) {
      store.put(new ShardSearchContextId("s", i), "a" + i, List.of(rows(new int[] {1, 5}, 3)));
      assertEquals(Math.min(i + 1, 3), store.size());
      assertEquals(Math.min(i + 1, 3) * each, breaker.getUsed());
    }
    // Rows of one search do not make room for each other.
    store.put(new ShardSearchContextId("t", 0), "a9", List.of(rows(new int[] {1, 5}, 3)));
    store.put(new ShardSearchContextId("t", 1), "a9", List.of(rows(new int[] {1, 5}, 3)));
    store.put(new ShardSearchContextId("t", 2), "a9", List.of(rows(new int[] {1, 5}, 3)));
    assertEquals(4, store.size());
    store.release("a9");
    // Rows larger than the share wait alone.
    store.put(new ShardSearchContextId("s", 10), "b", List.of(rows(new int[] {1, 5, 7, 8}, 9)));
    assertEquals(1, store.size());
    store.put(new ShardSearchContextId("s", 11), "a", List.of(rows(new int[] {1, 5}, 3)));
    store.put(new ShardSearchContextId("s", 12), "c", List.of(rows(new int[] {1, 5}, 3)));
    store.release("c");
    assertEquals(1, store.size());
    assertEquals(each, breaker.getUsed());
    store.release("a");
    assertEquals(0, store.size());
    assertEquals(0, breaker.getUsed());
  }

  public void testOnlyTheRowsOfAPageAreKept() {
    LoggedRows kept = rows(new int[] {3, 4, 8, 9}, 2).only(new int[] {1, 4, 9});
    assertEquals(LoggedRows.bytes(2, 2, 2), breaker.getUsed());
    assertNull(kept.row(3));
    assertEquals(401f, kept.row(4).values()[1], 0);
    assertEquals(900f, kept.row(9).values()[0], 0);
    assertEquals(-9, kept.row(9).score(0), 0);
    assertEquals(8, kept.row(4).score(1), 0);
    kept.close();
    kept.close();
    assertEquals(0, breaker.getUsed());
  }
}
