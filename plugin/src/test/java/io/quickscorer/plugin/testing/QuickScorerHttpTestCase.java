// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.testing;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.plugin.model.ModelSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.util.Timeout;
import org.opensearch.client.Request;
import org.opensearch.client.RequestOptions;
import org.opensearch.client.Response;
import org.opensearch.client.ResponseException;
import org.opensearch.client.RestClient;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4ModulePlugin;

/** Nodes in this JVM that are spoken to over real HTTP. */
public abstract class QuickScorerHttpTestCase extends IntegTestCase {
  public static final String BASE = "/_plugins/_quickscorer/";

  /**
   * What came back.
   *
   * @param retryAfter the header of that name, or null
   */
  public record Answer(int status, String body, String retryAfter) {
    public Map<String, Object> json() {
      return XContentHelper.convertToMap(JsonXContent.jsonXContent, body, true);
    }

    public Object at(String... path) {
      Object value = json();
      for (String key : path) {
        value = ((Map<?, ?>) value).get(key);
      }
      return value;
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(QuickScorerPlugin.class, Netty4ModulePlugin.class);
  }

  @Override
  protected boolean addMockHttpTransport() {
    return false;
  }

  /** It keeps every span of every request until the suite is over. */
  @Override
  protected boolean addMockTelemetryPlugin() {
    return false;
  }

  @Override
  protected Settings nodeSettings(int ordinal) {
    return Settings.builder()
        .put(super.nodeSettings(ordinal))
        .put("http.type", "netty4")
        // What a node runs by itself would be seen by tests of memory and counters.
        .put(ModelSettings.WARM_UP.getKey(), "0")
        .build();
  }

  /** Sends a request without a body. */
  protected Answer send(String method, String path) throws IOException {
    return perform(new Request(method, path));
  }

  /** Sends a body as JSON, which it need not be. */
  protected Answer send(String method, String path, String body) throws IOException {
    return send(method, path, body.getBytes(StandardCharsets.UTF_8), "application/json");
  }

  protected Answer send(String method, String path, byte[] body, String contentType)
      throws IOException {
    Request request = new Request(method, path);
    request.setEntity(new ByteArrayEntity(body, ContentType.parse(contentType)));
    return perform(request);
  }

  /** As {@link #send(String, String, String)}, in the name of a user that tests make up. */
  protected static Answer sendAs(String user, String method, String path, String body)
      throws IOException {
    Request request = new Request(method, path);
    request.setOptions(
        RequestOptions.DEFAULT.toBuilder().addHeader(GrantedActions.USER, user).build());
    if (!body.isEmpty()) {
      request.setJsonEntity(body);
    }
    return perform(request);
  }

  /** As {@link #send(String, String, String)}, to a node that may have been restarted. */
  protected static Answer sendAnew(String method, String path, String body) throws IOException {
    Request request = new Request(method, path);
    if (!body.isEmpty()) {
      request.setJsonEntity(body);
    }
    return sendAnew(request);
  }

  protected static Answer sendAnew(Request request) throws IOException {
    try (RestClient client = restClient(internalCluster().getNodeNames()[0])) {
      return perform(client, request);
    }
  }

  /** Speaks to one node. */
  protected static RestClient restClient(String node) {
    InetSocketAddress address =
        internalCluster()
            .getInstance(HttpServerTransport.class, node)
            .boundAddress()
            .publishAddress()
            .address();
    return RestClient.builder(new HttpHost("http", address.getAddress(), address.getPort()))
        .build();
  }

  private static Answer perform(Request request) throws IOException {
    return perform(getRestClient(), request);
  }

  /**
   * Makes the client wait longer for the response than any test does; after its own 30 s, it would
   * send the request again.
   */
  public static Request patient(Request request) {
    RequestConfig waits =
        RequestConfig.custom()
            .setConnectTimeout(Timeout.ofMinutes(1))
            .setResponseTimeout(Timeout.ofMinutes(10))
            .build();
    request.setOptions(request.getOptions().toBuilder().setRequestConfig(waits));
    return request;
  }

  private static Answer perform(RestClient client, Request request) throws IOException {
    Response response;
    try {
      response = client.performRequest(patient(request));
    } catch (ResponseException e) {
      response = e.getResponse();
    }
    String body =
        response.getEntity() == null
            ? ""
            : new String(response.getEntity().getContent().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(
        response.getStatusLine().getStatusCode(), body, response.getHeader("Retry-After"));
  }

  protected static void assertStatus(int expected, Answer answer) {
    assertEquals(answer.body(), expected, answer.status());
  }
}
