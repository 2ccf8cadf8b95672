package io.quickscorer.plugin.rest;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;

/** Puts {@code Retry-After} on answers with status 503: what is unavailable is so for a moment. */
final class RetryAfterChannel implements RestChannel {
  private static final String HEADER = "Retry-After";
  private static final String SECONDS = "1";

  private final RestChannel channel;

  RetryAfterChannel(RestChannel channel) {
    this.channel = channel;
  }

  @Override
  public void sendResponse(RestResponse response) {
    if (response.status() == RestStatus.SERVICE_UNAVAILABLE
        && !response.getHeaders().containsKey(HEADER)) {
      response.addHeader(HEADER, SECONDS);
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
