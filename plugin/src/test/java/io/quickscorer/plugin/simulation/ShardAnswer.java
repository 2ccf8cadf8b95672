// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.transport.TransportResponse;

/** The answer of a copy of the simulated shard. */
final class ShardAnswer extends TransportResponse {
  final List<ShardDocument> documents;
  final boolean created;

  /** The shard with the document that was written. */
  final @Nullable ShardId shard;

  private ShardAnswer(List<ShardDocument> documents, boolean created, @Nullable ShardId shard) {
    this.documents = documents;
    this.created = created;
    this.shard = shard;
  }

  static ShardAnswer found(List<ShardDocument> documents) {
    return new ShardAnswer(documents, false, null);
  }

  static ShardAnswer written(ShardDocument document, ShardId shard) {
    return new ShardAnswer(List.of(document), document.version() == 1, shard);
  }

  ShardAnswer(StreamInput in) throws IOException {
    super(in);
    documents = in.readList(ShardDocument::new);
    created = in.readBoolean();
    shard = in.readOptionalWriteable(ShardId::new);
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeList(documents);
    out.writeBoolean(created);
    out.writeOptionalWriteable(shard);
  }
}
