// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.List;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * The state of a version of a model on one node.
 *
 * @param nodeId the node's id
 * @param nodeName the node's name
 */
public record NodeModelState(String nodeId, String nodeName, ModelState state)
    implements WireRecord {
  NodeModelState(DiscoveryNode node, ModelState state) {
    this(node.getId(), node.getName(), state);
  }

  /** Returns this state, with the version marked as the current one of its name. */
  NodeModelState asCurrent() {
    return new NodeModelState(nodeId, nodeName, state.asCurrent());
  }

  /** Writes {@code "nodes": {id: {name, state…}}}. */
  static void toXContent(
      List<NodeModelState> nodes, XContentBuilder builder, ToXContent.Params params)
      throws IOException {
    builder.startObject("nodes");
    for (NodeModelState node : nodes) {
      builder.startObject(node.nodeId).field("name", node.nodeName);
      node.state.toXContent(builder, params);
      builder.endObject();
    }
    builder.endObject();
  }
}
