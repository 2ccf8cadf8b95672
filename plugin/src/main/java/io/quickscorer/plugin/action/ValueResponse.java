// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action;

import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * The response of an action, which contains one value. The response of a {@linkplain
 * PluginAction#local local action} never leaves the node; for other actions, the value is a {@link
 * WireRecord}.
 *
 * @param <V> the type of the value; a {@link ToXContentObject} if REST shows the response as JSON
 */
public final class ValueResponse<V> extends ActionResponse implements StatusToXContentObject {
  private final V value;

  public ValueResponse(V value) {
    this.value = value;
  }

  private ValueResponse(StreamInput in, Class<V> type) throws IOException {
    super(in);
    Wire.head(in);
    value = WireRecord.read(in, type);
  }

  /** Returns a reader of responses with values of a type. */
  public static <V> Reader<ValueResponse<V>> reader(Class<V> type) {
    return in -> new ValueResponse<>(in, type);
  }

  public V value() {
    return value;
  }

  @Override
  public RestStatus status() {
    return value instanceof StatusToXContentObject object ? object.status() : RestStatus.OK;
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    return ((ToXContentObject) value).toXContent(builder, params);
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    Wire.head(out);
    ((WireRecord) value).writeTo(out);
  }
}
