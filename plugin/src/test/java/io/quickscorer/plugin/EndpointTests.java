// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import java.util.List;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.test.rest.FakeRestChannel;
import org.opensearch.test.rest.FakeRestRequest;

public class EndpointTests extends OpenSearchTestCase {
  private static List<String> retryAfter(RestStatus status) {
    FakeRestChannel channel = new FakeRestChannel(new FakeRestRequest(), true, 1);
    Endpoint.retriable(channel).sendResponse(new BytesRestResponse(status, ""));
    return channel.capturedResponse().getHeaders().get("Retry-After");
  }

  public void testOnlyWhatIsUnavailableIsToBeTriedAgain() {
    assertEquals(List.of("1"), retryAfter(RestStatus.SERVICE_UNAVAILABLE));
    assertEquals(List.of("1"), retryAfter(RestStatus.TOO_MANY_REQUESTS));
    assertNull(retryAfter(RestStatus.OK));
    assertNull(retryAfter(RestStatus.NOT_FOUND));
  }
}
