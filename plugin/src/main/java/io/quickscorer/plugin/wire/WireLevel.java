// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.wire;

import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.core.rest.RestStatus;

/**
 * The wire version that several nodes have in common.
 *
 * @param version the lowest of theirs, at most this build's
 * @param node the name of a node that has no higher one; empty if all have this build's
 */
public record WireLevel(int version, String node) {
  /** The level of nodes that all have this build's version. */
  public static final WireLevel ALL_CURRENT = new WireLevel(Wire.CURRENT, "");

  /** Returns the version that all nodes of a cluster read. */
  public static WireLevel of(DiscoveryNodes nodes) {
    WireLevel least = ALL_CURRENT;
    for (DiscoveryNode node : nodes) {
      WireLevel level = of(node);
      least = level.version < least.version ? level : least;
    }
    return least;
  }

  /** Returns the version that a node reads. */
  public static WireLevel of(DiscoveryNode node) {
    int version;
    try {
      version = Integer.parseInt(node.getAttributes().getOrDefault(Wire.ATTRIBUTE, "0"));
    } catch (NumberFormatException e) {
      version = 0; // Somebody else's attribute of that name.
    }
    return version < Wire.CURRENT
        ? new WireLevel(Math.max(version, 0), node.getName())
        : ALL_CURRENT;
  }

  /**
   * @param what the requested function, as a message names it
   * @throws OpenSearchStatusException (503) naming the node with an older build, if there is one
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
