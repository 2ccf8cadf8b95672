// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import org.opensearch.action.support.replication.ClusterStateCreationUtils;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.routing.RoutingTable;
import org.opensearch.cluster.routing.ShardRoutingState;
import org.opensearch.test.OpenSearchTestCase;

/** The index of models is ready if it does not exist or all its shards can be read. */
public class ModelIndexTests extends OpenSearchTestCase {
  public void testReadiness() {
    assertTrue(ModelIndex.isReady(ClusterState.EMPTY_STATE));
    ClusterState started =
        ClusterStateCreationUtils.state(ModelIndex.NAME, true, ShardRoutingState.STARTED);
    assertTrue(ModelIndex.isReady(started));
    assertFalse(
        ModelIndex.isReady(
            ClusterStateCreationUtils.state(
                ModelIndex.NAME, true, ShardRoutingState.INITIALIZING)));
  }

  /** OpenSearch loses the routing table if {@code _scale} finds no search replica. */
  public void testIndexWithoutRoutingTable() {
    ClusterState started =
        ClusterStateCreationUtils.state(ModelIndex.NAME, true, ShardRoutingState.STARTED);
    assertFalse(
        ModelIndex.isReady(
            ClusterState.builder(started).routingTable(RoutingTable.EMPTY_ROUTING_TABLE).build()));
  }
}
