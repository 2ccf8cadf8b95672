// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterState;

/** The contents of a node that outlast its process. */
final class Disk {
  /** The term that the node voted in last. */
  long term;

  /** The cluster state that the node accepted last. */
  @Nullable ClusterState state;

  /** The copy of the simulated shard. */
  @Nullable ShardCopy copy;
}
