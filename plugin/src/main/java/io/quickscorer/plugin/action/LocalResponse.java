// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action;

import java.io.IOException;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * What a {@link LocalAction} answers. It never leaves the node.
 *
 * @param <V> has the values; what is shown as JSON is a {@link ToXContentObject}
 */
public final class LocalResponse<V> extends ActionResponse implements StatusToXContentObject {
  private final V value;

  LocalResponse(V value) {
    this.value = value;
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
  public void writeTo(StreamOutput out) {
    throw new UnsupportedOperationException();
  }
}
