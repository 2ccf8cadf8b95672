// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.transfer;

import io.quickscorer.plugin.action.ProgressTask;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;

/**
 * Takes over what another cluster exported. What it stores it stores by the actions for that, which
 * the user must be allowed to use.
 */
public final class ImportAllAction extends ActionType<ImportAllAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/import/all";
  public static final ImportAllAction INSTANCE = new ImportAllAction();

  private ImportAllAction() {
    super(NAME, Response::new);
  }

  /** A piece of an export, or all of it. */
  public static final class Request extends ActionRequest {
    private final BytesReference lines;
    private final boolean replace;
    private final TimeValue timeout;
    private final boolean background;

    /**
     * @param replace whether to replace what has the name of something imported and differs
     * @param timeout how long to wait for nodes that load a model
     * @param background whether the result is to be kept for the task API, because nobody waits
     */
    public Request(BytesReference lines, boolean replace, TimeValue timeout, boolean background) {
      this.lines = lines;
      this.replace = replace;
      this.timeout = timeout;
      this.background = background;
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      lines = in.readBytesReference();
      replace = in.readBoolean();
      timeout = in.readTimeValue();
      background = in.readBoolean();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      out.writeBytesReference(lines);
      out.writeBoolean(replace);
      out.writeTimeValue(timeout);
      out.writeBoolean(background);
    }

    @Override
    public @Nullable ActionRequestValidationException validate() {
      return null;
    }

    @Override
    public boolean getShouldStoreResult() {
      return background;
    }

    @Override
    public Task createTask(
        long id, String type, String action, TaskId parent, Map<String, String> headers) {
      return new ProgressTask(id, type, action, "import", "begins", parent, headers);
    }

    BytesReference lines() {
      return lines;
    }

    boolean replace() {
      return replace;
    }

    TimeValue timeout() {
      return timeout;
    }
  }

  /**
   * What became of a line.
   *
   * @param kind of the thing; empty if that could not be read
   * @param result {@code created}, {@code updated}, {@code noop}, or empty if it failed
   * @param error why it failed, else empty
   * @param status as that of the request that stores one such thing
   */
  public record Item(String kind, String name, String result, String error, int status)
      implements Writeable, ToXContentObject {
    Item(StreamInput in) throws IOException {
      this(in.readString(), in.readString(), in.readString(), in.readString(), in.readVInt());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      out.writeString(kind);
      out.writeString(name);
      out.writeString(result);
      out.writeString(error);
      out.writeVInt(status);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject();
      if (!kind.isEmpty()) {
        builder.field(kind, name);
      }
      builder.field("status", status);
      builder.field(error.isEmpty() ? "result" : "error", error.isEmpty() ? result : error);
      return builder.endObject();
    }
  }

  /** What became of all lines, in their order. */
  public static final class Response extends ActionResponse implements ToXContentObject {
    private final List<Item> items;

    public Response(List<Item> items) {
      this.items = List.copyOf(items);
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      items = in.readList(Item::new);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      out.writeList(items);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      boolean errors = items.stream().anyMatch(item -> !item.error.isEmpty());
      return builder.startObject().field("errors", errors).field("items", items).endObject();
    }
  }
}
