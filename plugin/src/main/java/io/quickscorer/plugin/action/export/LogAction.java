// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.export;

import io.quickscorer.plugin.export.LogExport;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.MediaType;

/** Writes a piece of a training file. */
public final class LogAction extends ActionType<LogExport.Piece> {
  public static final String NAME = "cluster:admin/quickscorer/feature_set/log";
  public static final LogAction INSTANCE = new LogAction();

  private LogAction() {
    super(NAME, LogExport.Piece::new);
  }

  /** What to export, as its user wrote it, and which piece of that. */
  public static final class Request extends SearchingRequest {
    private final LogExport.Place from;
    private final long maxBytes;

    /**
     * @param from where the piece begins
     * @param maxBytes the piece ends after the search with which it is larger than this
     */
    public Request(
        String featureSet,
        @Nullable MediaType type,
        BytesReference body,
        LogExport.Place from,
        long maxBytes) {
      super(featureSet, type, body);
      this.from = from;
      this.maxBytes = maxBytes;
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      from = new LogExport.Place(in);
      maxBytes = in.readVLong();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      from.writeTo(out);
      out.writeVLong(maxBytes);
    }

    LogExport.Place from() {
      return from;
    }

    long maxBytes() {
      return maxBytes;
    }
  }
}
