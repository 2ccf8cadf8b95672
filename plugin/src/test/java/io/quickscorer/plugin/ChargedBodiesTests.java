// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import com.sun.management.ThreadMXBean;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/**
 * What a body becomes in the heap is charged before it is there: whatever is sent to whatever
 * endpoint, a node allocates no more than a few times what its breaker lets it take.
 */
@ClusterScope(numDataNodes = 1, numClientNodes = 0, supportsDedicatedMasters = false)
public class ChargedBodiesTests extends QuickScorerHttpTestCase {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** What requests may take of the heap, set as the breaker's limit. */
  private static final long LIMIT = 10 << 20;

  /** What is charged lives on; what is not lives for a moment: names, numbers, arrays that grow. */
  private static final long PER_CHARGED = 3;

  /** The client's and the server's copies of a body. */
  private static final long PER_SENT = 4;

  /** How often the plugin passes through a body: it may look first for the kind of document. */
  private static final long PER_PARSED = 2;

  /** Whatever the body, such as the tags of a template, of which there is a limit. */
  private static final long FIXED = 8 << 20;

  private static final int ATTEMPTS = 3;

  /** For each right body and run. */
  private static final int REQUESTS = 3;

  /** Some clusters of tests have no breaker. */
  @Override
  protected Settings nodeSettings(int ordinal) {
    return Settings.builder()
        .put(super.nodeSettings(ordinal))
        // Uploads are charged at the breaker of models.
        .put("breaker.quickscorer.limit", LIMIT + "b")
        .put(HierarchyCircuitBreakerService.REQUEST_CIRCUIT_BREAKER_TYPE_SETTING.getKey(), "memory")
        .build();
  }

  private static Map<String, Object> values() {
    Map<String, Object> names = new LinkedHashMap<>();
    for (int i = 0; i < 150_000; i++) {
      names.put(Integer.toString(i, 36), i);
    }
    Object deep = List.of();
    for (int level = 0; level < 40; level++) {
      deep = List.of(deep);
    }
    Map<String, Object> values = new TreeMap<>();
    values.put("maps", Collections.nCopies(200_000, Map.of("a", 0)));
    values.put("empty maps", Collections.nCopies(1_000_000, Map.of()));
    values.put("lists", Collections.nCopies(400_000, List.of(0)));
    values.put("texts", Collections.nCopies(500_000, "ab"));
    values.put("numbers", Collections.nCopies(1_000_000, 12_345));
    values.put("deep", Collections.nCopies(15_000, deep));
    values.put("names", names);
    values.put("long names", Collections.nCopies(2_000, Map.of("n".repeat(1_000), 0)));
    values.put("fields", Collections.nCopies(60_000, Map.of("name", "a", "type", "field")));
    values.put("text", "{{a}}".repeat(300_000));
    return values;
  }

  private static byte[] bytes(XContentType type, Object body) throws IOException {
    try (XContentBuilder builder = XContentBuilder.builder(type.xContent())) {
      return BytesReference.toBytes(BytesReference.bytes(builder.value(body)));
    }
  }

  private void ok(String method, String path, String body) throws Exception {
    Answer answer = send(method, path, body);
    assertTrue(answer.body(), answer.status() < 300);
  }

  private void begin() throws Exception {
    MarkedModels.createIndex(this::ok, "docs", 1, 20);
    ok("PUT", BASE + "feature_sets/marked", MarkedModels.FEATURE_SET);
    for (int mark = 1; mark <= 3; mark++) {
      ok("PUT", BASE + "models/m" + mark + "?feature_set=marked", MarkedModels.file(mark));
    }
  }

  private void end() throws Exception {
    for (String alias : new String[] {"a", "b"}) {
      send("DELETE", BASE + "aliases/" + alias);
    }
    for (int mark = 1; mark <= 3; mark++) {
      send("DELETE", BASE + "models/m" + mark);
    }
    send("DELETE", "/_search/pipeline/p");
    send("DELETE", "/_search/pipeline/r");
  }

  private void limit(String bytes) throws Exception {
    String name = "\"indices.breaker.request.limit\"";
    ok("PUT", "/_cluster/settings", "{\"transient\":{" + name + ":" + bytes + "}}");
  }

  /** Bytes that the server's parser allocates, though nothing is kept: of YAML, 380 a character. */
  private static long parsing(XContentType type, byte[] body) throws IOException {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try (XContentParser parser =
        type.xContent()
            .createParser(
                NamedXContentRegistry.EMPTY, DeprecationHandler.IGNORE_DEPRECATIONS, body)) {
      while (parser.nextToken() != null) {
        // Passes by.
      }
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  /** Why the node allocates too much, or null. */
  private String fault(String method, String path, XContentType type, byte[] body)
      throws Exception {
    long allowed =
        PER_CHARGED * LIMIT + PER_SENT * body.length + PER_PARSED * parsing(type, body) + FIXED;
    String fault = null;
    // Threads of the server may allocate meanwhile.
    for (int i = 0; i < ATTEMPTS; i++) {
      long before = THREADS.getTotalThreadAllocatedBytes();
      Answer answer = send(method, path, body, type.mediaTypeWithoutParameters());
      long allocated = THREADS.getTotalThreadAllocatedBytes() - before;
      if (allocated <= allowed && answer.status() != 500) {
        return null;
      }
      fault =
          String.format(
              Locale.ROOT,
              "%s %s, %d bytes of %s: %d allocated, expected at most %d: %d %.300s",
              method,
              path,
              body.length,
              type,
              allocated,
              allowed,
              answer.status(),
              answer.body());
    }
    return fault;
  }

  public void testNoBodyTakesMoreThanTheBreakerLetsIt() throws Exception {
    begin();
    Map<String, Object> values = values();
    // The server's parser of YAML takes a second of each.
    List<XContentType> types =
        rarely()
            ? List.of(XContentType.YAML)
            : List.of(XContentType.JSON, XContentType.CBOR, XContentType.SMILE);
    List<String> faults = new ArrayList<>();
    limit("\"" + LIMIT + "b\"");
    try {
      for (RightBody body : RightBody.all()) {
        if (body.path().startsWith("/_search/")) {
          continue; // The server makes maps of pipelines, which no breaker counts.
        }
        for (int request = 0; request < REQUESTS; request++) {
          String value = randomFrom(values.keySet());
          XContentType type = randomFrom(types);
          List<Object> place = randomFrom(body.places());
          byte[] bytes = bytes(type, body.with(place, values.get(value)));
          String fault = fault(body.method(), body.path(), type, bytes);
          if (fault != null) {
            faults.add(value + " at " + place + ": " + fault);
          }
        }
      }
      byte[] bytes = bytes(XContentType.CBOR, Map.of("x", values.get("maps")));
      for (RestHandler endpoint : Endpoints.all(() -> null)) {
        for (RestHandler.Route route : endpoint.routes()) {
          String path = route.getPath().replaceAll("\\{\\w+}", "m1");
          String fault = fault(route.getMethod().name(), path, XContentType.CBOR, bytes);
          if (fault != null) {
            faults.add(fault);
          }
        }
      }
      assertEquals(String.join("\n", faults), 0, faults.size());
      assertBusy(
          () ->
              assertEquals(
                  0,
                  internalCluster()
                      .getInstance(CircuitBreakerService.class)
                      .getBreaker(CircuitBreaker.REQUEST)
                      .getUsed()),
          60,
          TimeUnit.SECONDS);
    } finally {
      limit("null");
      end();
    }
  }

  /** An answer has a message several times, and those of its causes. */
  public void testRefusalsDoNotRepeatALargeValue() throws Exception {
    begin();
    List<String> repeating = new ArrayList<>();
    for (RightBody body : RightBody.all()) {
      // The server reads the numbers of a processor.
      List<List<Object>> places = body.path().startsWith("/_search/") ? List.of() : body.places();
      for (List<Object> place : places) {
        byte[] bytes = bytes(XContentType.JSON, body.with(place, "x".repeat(50_000)));
        Answer answer = send(body.method(), body.path(), bytes, "application/json");
        if (answer.status() >= 400 && answer.body().length() > 20_000) {
          repeating.add(body.method() + " " + body.path() + " " + place + ": " + answer.status());
        }
      }
    }
    end();
    assertEquals(List.of(), repeating);
  }

  /** So that a new endpoint takes part in this and other tests. */
  public void testEachEndpointThatTakesABodyHasARightOne() throws Exception {
    List<String> without = new ArrayList<>();
    for (RestHandler endpoint : Endpoints.all(() -> null)) {
      for (RestHandler.Route route : endpoint.routes()) {
        String path = route.getPath().replaceAll("\\{\\w+}", "m1");
        Pattern pattern = Pattern.compile(route.getPath().replaceAll("\\{\\w+}", "[^/]+"));
        boolean there =
            RightBody.all().stream()
                .anyMatch(
                    body ->
                        body.method().equals(route.getMethod().name())
                            && pattern.matcher(body.path().replaceAll("\\?.*", "")).matches());
        if (!there
            && List.of(RestRequest.Method.PUT, RestRequest.Method.POST).contains(route.getMethod())
            && !send(route.getMethod().name(), path, "{}").body().contains("not take a body")) {
          without.add(route.getMethod() + " " + route.getPath());
        }
      }
    }
    assertEquals(List.of(), without);
  }
}
