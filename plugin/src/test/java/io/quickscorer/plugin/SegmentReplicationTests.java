// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.testing.Local;
import org.opensearch.common.settings.Settings;
import org.opensearch.indices.IndicesService;
import org.opensearch.indices.replication.common.ReplicationType;
import org.opensearch.transport.client.Client;

/** Replicas of the index of models get what was written only some time after it. */
public class SegmentReplicationTests extends ModelClusterTestCase {
  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .put(
            IndicesService.CLUSTER_REPLICATION_TYPE_SETTING.getKey(),
            ReplicationType.SEGMENT.toString())
        .build();
  }

  public void testWhatWasWrittenIsReadAtOnce() throws Exception {
    for (int i = 0; i < 3; i++) {
      ModelUploads.Response put = i % 2 == 0 ? put("m", "fs", MODEL) : put("m", "other", OTHER);
      for (ModelService node : dataNodes()) {
        assertTrue(node.isLoaded(put.id()));
      }
      String name = "listed" + i;
      putFeatureSet(name, MODEL);
      for (Client node : internalCluster().getClients()) {
        assertTrue(
            Local.begin(node, FeatureSets.GET, new ListRequest("")).actionGet().items().stream()
                .anyMatch(set -> set.name().equals(name)));
      }
    }
    delete("m");
  }
}
