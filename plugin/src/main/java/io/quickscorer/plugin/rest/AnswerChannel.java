// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.guard.Failures;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;

/**
 * A channel that adds the header {@code Retry-After} to responses with status 503 or 429, because
 * their causes are temporary.
 */
final class AnswerChannel implements RestChannel {
  private final RestChannel channel;

  AnswerChannel(RestChannel channel) {
    this.channel = channel;
  }

  @Override
  public void sendResponse(RestResponse response) {
    if (Failures.isTemporary(response.status())
        && !response.getHeaders().containsKey(Failures.RETRY_AFTER)) {
      response.addHeader(Failures.RETRY_AFTER, Failures.SECONDS);
    }
    channel.sendResponse(response);
  }

  @Override
  public XContentBuilder newBuilder() throws IOException {
    return channel.newBuilder();
  }

  @Override
  public XContentBuilder newErrorBuilder() throws IOException {
    return channel.newErrorBuilder();
  }

  @Override
  public XContentBuilder newBuilder(@Nullable MediaType type, boolean filtering)
      throws IOException {
    return channel.newBuilder(type, filtering);
  }

  @Override
  public XContentBuilder newBuilder(
      @Nullable MediaType request, @Nullable MediaType response, boolean filtering)
      throws IOException {
    return channel.newBuilder(request, response, filtering);
  }

  @Override
  public BytesStreamOutput bytesOutput() {
    return channel.bytesOutput();
  }

  @Override
  public RestRequest request() {
    return channel.request();
  }

  @Override
  public boolean detailedErrorsEnabled() {
    return channel.detailedErrorsEnabled();
  }

  @Override
  public boolean detailedErrorStackTraceEnabled() {
    return channel.detailedErrorStackTraceEnabled();
  }
}
