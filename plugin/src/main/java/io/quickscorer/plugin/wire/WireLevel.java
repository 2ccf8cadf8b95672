// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.wire;

import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.core.rest.RestStatus;

/**
 * The highest version of the wire format (in which nodes send data to each other) that several
 * nodes can read.
 *
 * @param version the lowest of the nodes' versions, at most the version of this build
 * @param node the name of a node with that version; empty if all nodes have the version of this
 *     build
 */
public record WireLevel(int version, String node) {
  /** The level of nodes that can all read this build's version of the wire format. */
  public static final WireLevel ALL_CURRENT = new WireLevel(Wire.CURRENT, "");

  /** Returns the highest version of the wire format that all nodes of a cluster can read. */
  public static WireLevel of(DiscoveryNodes nodes) {
    WireLevel lowest = ALL_CURRENT;
    for (DiscoveryNode node : nodes) {
      WireLevel level = of(node);
      lowest = level.version < lowest.version ? level : lowest;
    }
    return lowest;
  }

  /** Returns the highest version of the wire format that one node can read. */
  public static WireLevel of(DiscoveryNode node) {
    int version;
    try {
      version = Integer.parseInt(node.getAttributes().getOrDefault(Wire.ATTRIBUTE, "0"));
    } catch (NumberFormatException e) {
      version = 0; // another program set an attribute of this name
    }
    return version < Wire.CURRENT
        ? new WireLevel(Math.max(version, 0), node.getName())
        : ALL_CURRENT;
  }

  /**
   * Checks that all nodes can read this build's version of the wire format.
   *
   * @param what the part of the request that needs this version, for the message
   * @throws OpenSearchStatusException (503) if a node has an older build; the message names it
   */
  public void requireCurrent(String what) {
    if (version < Wire.CURRENT) {
      throw new OpenSearchStatusException(
          "{}: node [{}] has an older build of the quickscorer plugin, or none (wire version [{}]),"
              + " but this request needs [{}]; install the same build on all nodes",
          RestStatus.SERVICE_UNAVAILABLE,
          what,
          node,
          version,
          Wire.CURRENT);
    }
  }
}
