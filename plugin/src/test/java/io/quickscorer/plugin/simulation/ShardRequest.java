// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.transport.TransportRequest;

/** A request to a copy of the simulated shard. */
final class ShardRequest extends TransportRequest {
  /** What a copy can be asked for. */
  enum Kind {
    /** The primary writes a document. */
    INDEX,
    /** The primary deletes a document. */
    DELETE,
    /** A replica takes over what the primary wrote. */
    REPLICATE,
    /** A replica takes over all that a new primary has, and takes back what that lacks. */
    RESYNC,
    /** Reads one document. */
    GET,
    /** Reads what a search sees. */
    SEARCH,
    /** Makes everything visible to searches. */
    REFRESH,
    /** The primary gives all documents to a copy that starts. */
    RECOVER;

    /** Whether the copy writes to its disk. */
    boolean isWrite() {
      return this == INDEX || this == DELETE || this == REPLICATE || this == RESYNC;
    }
  }

  final Kind kind;
  final String allocation;
  final long term;
  final List<ShardDocument> documents;
  final boolean create;
  final long ifNumber;
  final long ifTerm;
  final int copies;

  private ShardRequest(
      Kind kind,
      String allocation,
      long term,
      List<ShardDocument> documents,
      boolean create,
      long ifNumber,
      long ifTerm,
      int copies) {
    this.kind = kind;
    this.allocation = allocation;
    this.term = term;
    this.documents = documents;
    this.create = create;
    this.ifNumber = ifNumber;
    this.ifTerm = ifTerm;
    this.copies = copies;
  }

  /** A request without conditions. */
  static ShardRequest of(Kind kind, String allocation, long term, List<ShardDocument> documents) {
    return new ShardRequest(
        kind,
        allocation,
        term,
        documents,
        false,
        SequenceNumbers.UNASSIGNED_SEQ_NO,
        SequenceNumbers.UNASSIGNED_PRIMARY_TERM,
        1);
  }

  /**
   * A write.
   *
   * @param copies that must be active
   */
  static ShardRequest write(
      Kind kind, ShardDocument document, boolean create, long ifNumber, long ifTerm, int copies) {
    return new ShardRequest(kind, "", 0, List.of(document), create, ifNumber, ifTerm, copies);
  }

  /** Returns this request for the current primary. */
  ShardRequest to(String allocation, long term) {
    return new ShardRequest(kind, allocation, term, documents, create, ifNumber, ifTerm, copies);
  }

  ShardRequest(StreamInput in) throws IOException {
    super(in);
    kind = in.readEnum(Kind.class);
    allocation = in.readString();
    term = in.readZLong();
    documents = in.readList(ShardDocument::new);
    create = in.readBoolean();
    ifNumber = in.readZLong();
    ifTerm = in.readZLong();
    copies = in.readVInt();
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeEnum(kind);
    out.writeString(allocation);
    out.writeZLong(term);
    out.writeList(documents);
    out.writeBoolean(create);
    out.writeZLong(ifNumber);
    out.writeZLong(ifTerm);
    out.writeVInt(copies);
  }
}
