// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.Version;
import org.opensearch.action.support.ActiveShardCount;
import org.opensearch.action.support.replication.ClusterStateCreationUtils;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.node.DiscoveryNodeRole;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.routing.RoutingTable;
import org.opensearch.cluster.routing.ShardRoutingState;
import org.opensearch.test.OpenSearchTestCase;

/** The index of models: when it is ready, and how many copies a write requires. */
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

  private static DiscoveryNode node(DiscoveryNode like, Version version) {
    return new DiscoveryNode(
        like.getId(), like.getAddress(), Map.of(), Set.of(DiscoveryNodeRole.DATA_ROLE), version);
  }

  /**
   * Returns a cluster of two nodes, one of which has the primary shard and the other the replica.
   */
  private static ClusterState cluster(
      Version ofPrimary, Version ofReplica, ShardRoutingState primary, ShardRoutingState replica) {
    ClusterState state = ClusterStateCreationUtils.state(ModelIndex.NAME, true, primary, replica);
    String holder =
        state.routingTable().index(ModelIndex.NAME).shard(0).primaryShard().currentNodeId();
    DiscoveryNodes.Builder nodes = DiscoveryNodes.builder();
    state
        .nodes()
        .forEach(
            member ->
                nodes.add(node(member, member.getId().equals(holder) ? ofPrimary : ofReplica)));
    return ClusterState.builder(state).nodes(nodes).build();
  }

  /** OpenSearch never places a replica on a node older than the node of its primary. */
  public void testCopiesInAnUpgrade() {
    Version old = Version.fromId(Version.CURRENT.minimumCompatibilityVersion().id);
    ShardRoutingState started = ShardRoutingState.STARTED;
    ShardRoutingState unassigned = ShardRoutingState.UNASSIGNED;
    assertNotEquals(old, Version.CURRENT);
    for (ShardRoutingState replica : List.of(started, unassigned)) {
      assertEquals(
          ActiveShardCount.from(2),
          ModelIndex.requiredCopies(cluster(old, Version.CURRENT, started, replica)));
      assertEquals(
          ActiveShardCount.from(2), ModelIndex.requiredCopies(cluster(old, old, started, replica)));
      assertEquals(
          ActiveShardCount.from(1),
          ModelIndex.requiredCopies(cluster(Version.CURRENT, old, started, replica)));
    }
    assertEquals(
        "the primary has no node",
        ActiveShardCount.from(2),
        ModelIndex.requiredCopies(cluster(old, old, unassigned, unassigned)));
  }
}
