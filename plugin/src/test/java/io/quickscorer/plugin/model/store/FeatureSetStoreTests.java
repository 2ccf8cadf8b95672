// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import io.quickscorer.plugin.feature.set.FeatureSet;
import io.quickscorer.plugin.model.store.FeatureSetStore.Written;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.function.Consumer;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Two requests for the same set are two, however alike they are. */
@ClusterScope(numDataNodes = 1, numClientNodes = 0, supportsDedicatedMasters = false)
public class FeatureSetStoreTests extends QuickScorerHttpTestCase {
  private static <T> T result(Consumer<ActionListener<T>> call) {
    PlainActionFuture<T> future = PlainActionFuture.newFuture();
    call.accept(future);
    return future.actionGet();
  }

  private static RestStatus failure(Consumer<ActionListener<Written>> call) {
    RuntimeException failure = expectThrows(RuntimeException.class, () -> result(call));
    return ExceptionsHelper.status(ExceptionsHelper.unwrapCause(failure));
  }

  /** The clock of a node stands still for 200 ms, so that times tell no requests apart. */
  public void testSetIsCreatedOnceThoughTheTimeIsTheSame() throws Exception {
    assertStatus(201, send("PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET));
    FeatureSetStore store = internalCluster().getInstance(FeatureSetStore.class);
    FeatureSet set = result(listener -> store.get("f", listener));
    assertStatus(200, send("DELETE", BASE + "feature_sets/f"));
    Written first = result(listener -> store.put(set, 1_000, true, listener));
    assertTrue(first.created());
    assertEquals(RestStatus.CONFLICT, failure(listener -> store.put(set, 1_000, true, listener)));
    Written second = result(listener -> store.put(set, 1_000, false, listener));
    assertFalse(second.created());
    assertTrue(second.number() > first.number());
    assertStatus(200, send("DELETE", BASE + "feature_sets/f"));
  }
}
