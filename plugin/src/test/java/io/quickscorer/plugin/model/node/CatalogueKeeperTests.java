// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.model.store.ModelIndex;
import java.util.List;
import java.util.stream.IntStream;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.Version;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.test.OpenSearchTestCase;

/** The changed names that the cluster state contains until a restored index is imported. */
public class CatalogueKeeperTests extends OpenSearchTestCase {
  private static ClusterState restored(ClusterState before) {
    IndexMetadata.Builder index =
        before.metadata().hasIndex(ModelIndex.NAME)
            ? IndexMetadata.builder(before.metadata().index(ModelIndex.NAME))
            : IndexMetadata.builder(ModelIndex.NAME);
    Settings settings =
        Settings.builder()
            .put(IndexMetadata.SETTING_VERSION_CREATED, Version.CURRENT)
            .put(IndexMetadata.SETTING_NUMBER_OF_SHARDS, 1)
            .put(IndexMetadata.SETTING_NUMBER_OF_REPLICAS, 0)
            .put(IndexMetadata.SETTING_INDEX_UUID, "uuid")
            .put(IndexMetadata.SETTING_HISTORY_UUID, randomAlphaOfLength(22))
            .build();
    return ClusterState.builder(before)
        .metadata(Metadata.builder(before.metadata()).put(index.settings(settings)))
        .build();
  }

  private static ClusterState changed(int names, ClusterState state) {
    List<String> all = IntStream.range(0, names).mapToObj(i -> "name" + i).toList();
    return CatalogueKeeper.keepChanged(all, state);
  }

  public void testChangedNamesAreLimitedUntilTheImport() {
    ClusterState state = ClusterState.builder(new ClusterName("c")).build();
    CatalogueKeeper.checkChanged(state);
    state = changed(CatalogueKeeper.MAX_CHANGED - 1, restored(state));
    CatalogueKeeper.checkChanged(state);
    // A name that was marked before takes no more room.
    state = changed(1, state);
    CatalogueKeeper.checkChanged(state);
    ClusterState full = CatalogueKeeper.keepChanged(List.of("one more"), state);
    OpenSearchStatusException refused =
        expectThrows(OpenSearchStatusException.class, () -> CatalogueKeeper.checkChanged(full));
    assertEquals(RestStatus.SERVICE_UNAVAILABLE, refused.status());
    assertThat(refused.getMessage(), containsString("is not imported yet"));
    assertTrue(ChangeFence.isForNow(refused));
    CatalogueKeeper.checkChanged(ModelIndex.markSynchronized(full));
    CatalogueKeeper.checkChanged(restored(full));
  }

  public void testMarksOfAnEarlierRestoreAreRemoved() {
    ClusterState before = changed(5, restored(ClusterState.builder(new ClusterName("c")).build()));
    assertEquals(5, ModelIndex.changedNames(before));
    ClusterState after = restored(before);
    assertFalse(ModelIndex.isChanged("name3", after));
    after = changed(2, after);
    assertTrue(ModelIndex.isChanged("name1", after));
    assertEquals(2, ModelIndex.changedNames(after));
  }
}
