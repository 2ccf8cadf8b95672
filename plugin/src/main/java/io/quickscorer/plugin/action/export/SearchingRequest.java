// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.export;

import io.quickscorer.plugin.action.MediaTypes;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;

/**
 * A request with a feature set and a body that says what to search; cancelled with its searches.
 */
abstract class SearchingRequest extends ActionRequest {
  private final String featureSet;
  private final @Nullable MediaType type;
  private final BytesReference body;

  SearchingRequest(String featureSet, @Nullable MediaType type, BytesReference body) {
    this.featureSet = featureSet;
    this.type = type;
    this.body = body;
  }

  SearchingRequest(StreamInput in) throws IOException {
    super(in);
    Wire.head(in);
    featureSet = in.readString();
    type = MediaTypes.read(in);
    body = in.readBytesReference();
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    Wire.head(out);
    out.writeString(featureSet);
    MediaTypes.write(type, out);
    out.writeBytesReference(body);
  }

  @Override
  public @Nullable ActionRequestValidationException validate() {
    return null;
  }

  @Override
  public Task createTask(
      long id, String type, String action, TaskId parent, Map<String, String> headers) {
    return new CancellableTask(id, type, action, getDescription(), parent, headers) {
      @Override
      public boolean shouldCancelChildrenOnCancellation() {
        return true;
      }
    };
  }

  @Override
  public String getDescription() {
    return "feature set [" + featureSet + "]";
  }

  String featureSet() {
    return featureSet;
  }

  @Nullable MediaType type() {
    return type;
  }

  BytesReference body() {
    return body;
  }
}
