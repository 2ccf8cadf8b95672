// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import static org.hamcrest.Matchers.containsString;

import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.coordination.CoordinationMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.test.OpenSearchTestCase;

public class ChangeFenceTests extends OpenSearchTestCase {
  private final ChangeFence fence = new ChangeFence();

  private static ClusterState state(long term, long version) {
    return ClusterState.builder(ClusterName.DEFAULT)
        .version(version)
        .metadata(
            Metadata.builder()
                .coordinationMetadata(CoordinationMetadata.builder().term(term).build()))
        .build();
  }

  private void change(String name, String request, long version) {
    ClusterState before = state(1, version - 1);
    assertFalse(fence.isDone(name, request, before));
    fence.check("alias", name, version - 1, before);
    fence.changed(name, request, before, state(1, version));
  }

  private void assertStale(String name, long seen, ClusterState state) {
    OpenSearchStatusException stale =
        expectThrows(
            OpenSearchStatusException.class, () -> fence.check("alias", name, seen, state));
    assertEquals(RestStatus.CONFLICT, stale.status());
    assertThat(stale.getMessage(), containsString("alias [" + name + "]: it was changed after"));
    assertTrue(ChangeFence.isStale(stale));
  }

  public void testARequestFromBeforeTheLastChangeIsStale() {
    change("a", "first", 10);
    assertStale("a", 9, state(1, 12));
    fence.check("alias", "a", 10, state(1, 12));
    // Another name was not changed since this manager is known to be one.
    fence.check("alias", "b", 9, state(1, 12));
  }

  public void testWhatAFormerManagerKnewIsNotKnown() {
    change("a", "first", 10);
    assertFalse(fence.isDone("a", "first", state(2, 20)));
    assertStale("b", 19, state(2, 20));
    fence.check("alias", "b", 20, state(2, 21));
  }

  public void testARequestIsDoneOnce() {
    change("a", "first", 10);
    change("a", "second", 11);
    assertTrue(fence.isDone("a", "first", state(1, 12)));
    assertFalse(fence.isDone("b", "first", state(1, 12)));
    assertFalse(fence.isDone("a", "third", state(1, 12)));
  }

  public void testOtherFailuresAreNotStale() {
    assertFalse(ChangeFence.isStale(new OpenSearchStatusException("no", RestStatus.CONFLICT)));
    assertFalse(ChangeFence.isStale(new IllegalStateException("no")));
  }
}
