// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.transport.TransportResponse;

/** The answer of a copy of the simulated shard. */
final class ShardAnswer extends TransportResponse {
  final List<ShardDocument> documents;
  final boolean created;

  /**
   * @param created whether a document was written that was not there
   */
  ShardAnswer(List<ShardDocument> documents, boolean created) {
    this.documents = documents;
    this.created = created;
  }

  ShardAnswer(StreamInput in) throws IOException {
    super(in);
    documents = in.readList(ShardDocument::new);
    created = in.readBoolean();
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeList(documents);
    out.writeBoolean(created);
  }
}
