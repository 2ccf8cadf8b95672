// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.transfer;

import io.quickscorer.plugin.action.ProgressTask;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.Task;

/**
 * Writes feature sets, models and aliases, a line of JSON each, in pieces that make one file when
 * they are put behind one another.
 */
public final class ExportAction extends ActionType<ExportAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/export";
  public static final ExportAction INSTANCE = new ExportAction();

  private ExportAction() {
    super(NAME, Response::new);
  }

  /** Which piece. */
  public static final class Request extends ActionRequest {
    private final String from;
    private final long maxBytes;

    /**
     * @param from where it begins, as the piece before says; empty for the first
     * @param maxBytes the piece ends with the line with which it is at least that large
     */
    public Request(String from, long maxBytes) {
      this.from = from;
      this.maxBytes = maxBytes;
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      from = in.readString();
      maxBytes = in.readVLong();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      out.writeString(from);
      out.writeVLong(maxBytes);
    }

    @Override
    public @Nullable ActionRequestValidationException validate() {
      return null;
    }

    /** Its description says how far the piece got. */
    @Override
    public Task createTask(
        long id, String type, String action, TaskId parent, Map<String, String> headers) {
      return new ProgressTask(id, type, action, "export", "begins", parent, headers);
    }

    String from() {
      return from;
    }

    long maxBytes() {
      return maxBytes;
    }
  }

  /** A piece. */
  public static final class Response extends ActionResponse {
    private final BytesReference lines;
    private final @Nullable String next;

    /**
     * @param next where the next piece begins; null in the last
     */
    public Response(BytesReference lines, @Nullable String next) {
      this.lines = lines;
      this.next = next;
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      lines = in.readBytesReference();
      next = in.readOptionalString();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      out.writeBytesReference(lines);
      out.writeOptionalString(next);
    }

    public BytesReference lines() {
      return lines;
    }

    public @Nullable String next() {
      return next;
    }
  }
}
