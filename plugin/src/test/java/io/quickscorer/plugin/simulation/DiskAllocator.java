// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.allocation.FailedShard;
import org.opensearch.cluster.routing.allocation.RoutingAllocation;
import org.opensearch.gateway.AsyncShardFetch.FetchResult;
import org.opensearch.gateway.GatewayAllocator;
import org.opensearch.gateway.PrimaryShardAllocator;
import org.opensearch.gateway.ReplicaShardAllocator;
import org.opensearch.gateway.TransportNodesGatewayStartedShardHelper.GatewayStartedShard;
import org.opensearch.gateway.TransportNodesListGatewayStartedShards.NodeGatewayStartedShards;
import org.opensearch.indices.store.TransportNodesListShardStoreMetadata.NodeStoreFilesMetadata;

/** The server's choice of copies for unassigned shards, by what is on the simulated disks. */
final class DiskAllocator extends GatewayAllocator {
  private final PrimaryShardAllocator primaries;
  private final ReplicaShardAllocator replicas =
      new ReplicaShardAllocator() {
        @Override
        protected FetchResult<NodeStoreFilesMetadata> fetchData(
            ShardRouting shard, RoutingAllocation allocation) {
          return new FetchResult<>(Map.of(), Map.of(shard.shardId(), Set.of()));
        }

        @Override
        protected boolean hasInitiatedFetching(ShardRouting shard) {
          return true;
        }
      };

  /**
   * @param copies the copy of a node, by the node's id
   */
  DiskAllocator(Function<String, @Nullable ShardCopy> copies) {
    primaries =
        new PrimaryShardAllocator() {
          @Override
          protected FetchResult<NodeGatewayStartedShards> fetchData(
              ShardRouting shard, RoutingAllocation allocation) {
            Map<DiscoveryNode, NodeGatewayStartedShards> found = new HashMap<>();
            Set<String> ignored = allocation.getIgnoreNodes(shard.shardId());
            for (DiscoveryNode node : allocation.nodes()) {
              ShardCopy copy = copies.apply(node.getId());
              if (copy != null
                  && copy.shard.equals(shard.shardId())
                  && !ignored.contains(node.getId())) {
                found.put(
                    node,
                    new NodeGatewayStartedShards(
                        node, new GatewayStartedShard(copy.allocation, false, null)));
              }
            }
            return new FetchResult<>(found, Map.of(shard.shardId(), ignored));
          }
        };
  }

  @Override
  public void applyStartedShards(List<ShardRouting> started, RoutingAllocation allocation) {
    // The disks know.
  }

  @Override
  public void applyFailedShards(List<FailedShard> failed, RoutingAllocation allocation) {
    // The disks know.
  }

  @Override
  public void beforeAllocation(RoutingAllocation allocation) {
    // Nothing is fetched.
  }

  @Override
  public void afterPrimariesBeforeReplicas(RoutingAllocation allocation) {
    // Nothing is fetched.
  }

  @Override
  public void allocateUnassigned(
      ShardRouting shard, RoutingAllocation allocation, UnassignedAllocationHandler handler) {
    innerAllocatedUnassigned(allocation, primaries, replicas, shard, handler);
  }
}
