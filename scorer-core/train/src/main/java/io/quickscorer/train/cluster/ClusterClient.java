// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** An HTTP client for the nodes of a cluster. Safe for use by several threads. */
public class ClusterClient {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  /** Time limit for a connection, including the TLS handshake. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private static final JsonMapper JSON = new JsonMapper();

  /** Time for which the cluster keeps the state of a scroll (search in pages) between two pages. */
  private static final String KEEP_ALIVE = "5m";

  /** Advice on failures: keys are parts of the cluster's reason, values are options to correct. */
  private static final List<Map.Entry<String, String>> ADVICE =
      List.of(
          Map.entry("no handler found", "--cluster: the plugin quickscorer is not installed there"),
          Map.entry("no such index", "--cluster, and the option with the name of the index"),
          Map.entry("no feature set", "--feature-set"),
          Map.entry("parameter [", "--param, --params and the templates"),
          Map.entry("]: query: ", "--query"));

  private final HttpClient http;
  private final URI address;
  private final String[] headers;

  /** Creates a client of a cluster without security. */
  public ClusterClient(URI address) {
    this(address, HttpClient.newBuilder());
  }

  /**
   * Creates a client with connection settings and additional headers.
   *
   * @param headers the name of a header, then its value, then the name of the next header, and so
   *     on
   */
  public ClusterClient(URI address, HttpClient.Builder http, String... headers) {
    this.address = address;
    this.http = http.version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_TIMEOUT).build();
    this.headers = headers.clone();
  }

  /**
   * A response of the cluster.
   *
   * @param status the HTTP status
   * @param body the JSON body; a {@code MissingNode} if the body is not JSON
   */
  public record Answer(int status, JsonNode body) {
    public boolean isError() {
      return status >= 400;
    }
  }

  /**
   * Sends a request and returns the response, whatever its status.
   *
   * @param body JSON, lines of JSON, or null for no body
   */
  public Answer send(String method, String path, String body) {
    return send(
        method,
        path,
        path.matches(".*/_(bulk|msearch)(\\?.*)?") ? "application/x-ndjson" : "application/json",
        body);
  }

  /** Returns a name in percent-encoding, for use in the path of an address. */
  public static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  public Answer send(String method, String path, String contentType, String body) {
    HttpResponse<String> response = exchange(method, path, contentType, body);
    return new Answer(response.statusCode(), parse(response.body()));
  }

  /**
   * Sends a request, and returns the response unparsed.
   *
   * @throws IllegalStateException if the cluster redirects, or the thread is interrupted
   * @throws UncheckedIOException if there is no response
   */
  public HttpResponse<String> exchange(
      String method, String path, String contentType, String body) {
    HttpRequest.BodyPublisher publisher =
        body.isEmpty()
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body);
    String prefix = address.getPath() == null ? "" : address.getPath().replaceAll("/+$", "");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address.resolve(prefix + path))
            .timeout(TIMEOUT)
            .header("Content-Type", contentType)
            .method(method, publisher);
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> response =
          http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      String elsewhere = response.headers().firstValue("Location").orElse("another address");
      if (response.statusCode() / 100 == 3) {
        throw new IllegalStateException(
            method
                + " "
                + path
                + " returned "
                + response.statusCode()
                + ": redirected to "
                + elsewhere
                + "; expected the address of the cluster itself");
      }
      return response;
    } catch (IOException e) {
      throw new UncheckedIOException(
          method + " " + path + ": " + ConnectionFailure.reason(address, e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(method + " " + path + " was interrupted", e);
    }
  }

  private static JsonNode parse(String body) {
    try {
      return body.startsWith("{") || body.startsWith("[")
          ? JSON.readTree(body)
          : JSON.missingNode();
    } catch (JacksonException e) {
      return JSON.missingNode();
    }
  }

  /**
   * Sends a request that must succeed, and returns the body of the response.
   *
   * @throws IllegalStateException with the cluster's reason, if the response is an error or not
   *     JSON
   */
  public JsonNode call(String method, String path, String body) {
    return checked(method, path, send(method, path, body));
  }

  /**
   * Returns the exception for a failed request. Its message contains the response's reason and the
   * command-line option to correct.
   */
  static IllegalStateException failure(String method, String path, int status, String body) {
    JsonNode error = parse(body).path("error");
    JsonNode cause = error.at("/root_cause/0/reason");
    boolean isSearch = error.path("type").asString("").equals("search_phase_execution_exception");
    String reason =
        isSearch && cause.isString()
            ? cause.asString()
            : error.path("reason").asString(error.asString("the response has no reason"));
    String advice =
        ADVICE.stream()
            .filter(each -> reason.contains(each.getKey()))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElse(
                status == 401
                    ? "--user and the password, or --token-file"
                    : status == 403 ? "the permissions of the user" : "");
    return new IllegalStateException(
        method
            + " "
            + path
            + " returned "
            + status
            + ": "
            + reason
            + (advice.isEmpty() ? "" : "; check " + advice));
  }

  JsonNode checked(String method, String path, Answer answer) {
    if (answer.isError()) {
      throw failure(method, path, answer.status(), answer.body().toString());
    }
    if (answer.body().isMissingNode()) {
      throw new IllegalStateException(
          method + " " + path + " did not return JSON; expected the address of a cluster");
    }
    return answer.body();
  }

  public JsonNode get(String path) {
    return call("GET", path, "");
  }

  public JsonNode put(String path, String body) {
    return call("PUT", path, body);
  }

  public JsonNode post(String path, String body) {
    return call("POST", path, body);
  }

  /**
   * Reads all hits of a search, page by page, as they are at the time of the call.
   *
   * @param search the body of the search
   * @throws IllegalStateException if the cluster refuses a request, or some shards fail
   */
  public void scroll(String index, String search, Consumer<JsonNode> hits) {
    JsonNode page = post("/" + encoded(index) + "/_search?scroll=" + KEEP_ALIVE, search);
    try {
      while (hasHits(index, page)) {
        page.at("/hits/hits").forEach(hits);
        ObjectNode next = scrollId(page).put("scroll", KEEP_ALIVE);
        page = post("/_search/scroll", next.toString());
      }
    } finally {
      // If this request fails, the cluster ends the scroll after its keep-alive time.
      send("DELETE", "/_search/scroll", scrollId(page).toString());
    }
  }

  private static boolean hasHits(String index, JsonNode page) {
    if (page.at("/_shards/failed").asInt(0) > 0) {
      throw new IllegalStateException(
          "index [" + index + "]: some shards did not respond; try again");
    }
    return !page.at("/hits/hits").isEmpty();
  }

  private static ObjectNode scrollId(JsonNode page) {
    return JSON.createObjectNode().put("scroll_id", page.path("_scroll_id").asString(""));
  }
}
