// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.RecentRequests.Entry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.coordination.CoordinationMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.test.OpenSearchTestCase;

public class ChangeFenceTests extends OpenSearchTestCase {
  private ClusterState state =
      ModelsMetadata.EMPTY
          .with(new ModelAlias("a", "m", null))
          .in(ClusterState.builder(ClusterName.DEFAULT).version(9).build());

  private void publish(ClusterState next) {
    state = ClusterState.builder(next).version(state.version() + 1).build();
  }

  private Entry change(String id, String... names) {
    Entry entry =
        new Entry(
            id,
            state.version() + 1,
            List.of(names),
            true,
            ModelsMetadata.of(state).aliases().get("a"),
            null);
    publish(ModelsMetadata.record(entry, state));
    return entry;
  }

  private Entry find(String id, long seen) {
    return ChangeFence.find("alias", "a", id, seen, state);
  }

  private void check(String name, long seen) {
    ChangeFence.check("alias", name, seen, state);
  }

  private void assertStale(String name, long seen) {
    OpenSearchStatusException stale =
        expectThrows(OpenSearchStatusException.class, () -> check(name, seen));
    assertEquals(RestStatus.CONFLICT, stale.status());
    assertThat(stale.getMessage(), containsString("alias [" + name + "] was changed after"));
    assertTrue(ChangeFence.isStale(stale));
    assertTrue(ChangeFence.isRefused(stale));
  }

  public void testARequestFromBeforeTheLastChangeIsStale() {
    change("first", "a");
    change("second", "c");
    assertStale("a", 9);
    check("a", 10);
    assertStale("c", 10);
    check("b", 9);
  }

  public void testARequestIsDoneOnce() {
    Entry first = change("first", "a");
    Entry second = change("second", "a");
    assertEquals(first, find("first", 9));
    assertEquals(second, find("second", 9));
    assertNull(find("third", 9));
  }

  public void testANewManagerKnowsTheRequests() {
    Entry first = change("first", "a");
    Metadata.Builder elected =
        Metadata.builder(state.metadata())
            .coordinationMetadata(CoordinationMetadata.builder().term(7).build());
    publish(ClusterState.builder(state).metadata(elected).build());
    assertEquals(first, find("first", 9));
    assertStale("a", 9);
  }

  public void testARefusalIsGivenAgain() {
    OpenSearchException refused =
        ChangeFence.refuse(new OpenSearchStatusException("no {}", RestStatus.CONFLICT));
    OpenSearchException again = ChangeFence.failure(ChangeFence.refusal(refused));
    assertEquals(refused.getMessage(), again.getMessage());
    assertEquals(RestStatus.CONFLICT, again.status());
    assertTrue(ChangeFence.isRefused(again));
    assertFalse(ChangeFence.isStale(again));
    assertFalse(ChangeFence.isForNow(again));
  }

  private void assertUnknown(String id, long seen) {
    OpenSearchStatusException unknown =
        expectThrows(OpenSearchStatusException.class, () -> find(id, seen));
    assertEquals(RestStatus.SERVICE_UNAVAILABLE, unknown.status());
    assertFalse(ChangeFence.isRefused(unknown));
  }

  public void testARequestThatMayHaveBeenForgottenIsNotCarriedOut() {
    change("first", "a");
    for (int others = 0; find("first", 10) != null; others++) {
      assertTrue("the list of requests grows", others < 1_000);
      change("other", "b");
    }
    assertUnknown("first", 9);
    assertNull(find("new", 10));
  }

  /** Whether the version since which the requests are known remains. */
  private void reread(ToXContent.Params params) throws IOException {
    try (XContentBuilder json = XContentFactory.jsonBuilder().startObject()) {
      ModelsMetadata.of(state).toXContent(json, params).endObject();
      ModelsMetadata read =
          ModelsMetadata.fromXContent(
              createParser(MediaTypeRegistry.JSON.xContent(), BytesReference.bytes(json)));
      Metadata.Builder all =
          Metadata.builder(state.metadata()).putCustom(ModelsMetadata.TYPE, read);
      publish(ClusterState.builder(state).metadata(all).build());
    }
  }

  public void testADiskKeepsTheVersionOfTheLastChange() throws IOException {
    change("first", "a");
    reread(ToXContent.EMPTY_PARAMS);
    assertUnknown("first", 9);
    assertNull(find("new", 10));
    change("second", "a");
    assertUnknown("first", 9);
    assertStale("a", 10);
  }

  public void testTheIndexKeepsNoVersion() throws IOException {
    change("first", "a");
    reread(
        new ToXContent.MapParams(
            Map.of(Metadata.CONTEXT_MODE_PARAM, Metadata.CONTEXT_MODE_SNAPSHOT)));
    assertUnknown("first", 10);
    assertNull(find("new", 11));
    publish(ModelsMetadata.of(state).in(state));
    publish(state);
    assertNull(find("new", 11));
    assertUnknown("first", 10);
  }

  public void testOtherFailuresAreNotMarked() {
    for (Exception failure :
        List.of(
            new OpenSearchStatusException("no", RestStatus.CONFLICT),
            new IllegalStateException("no"))) {
      assertFalse(ChangeFence.isStale(failure));
      assertFalse(ChangeFence.isRefused(failure));
      assertFalse(ChangeFence.isForNow(failure));
    }
  }
}
