// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;

/** What is refused, with which status, and that nothing is left behind. */
public class RescoreErrorsIntegTests extends RescoreTestCase {
  private static final String INDEX = "refusals";

  /** The test framework gives some nodes breakers that never break. */
  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .put("indices.breaker.request.type", "memory")
        .build();
  }

  @Before
  public void createModelAndIndex() throws IOException {
    putModel("m", 10);
    createCatalogue(INDEX, 3, 80);
  }

  @After
  public void nothingIsHeld() throws Exception {
    assertNothingHeld();
  }

  private static String body(int window, String options) {
    return "{\"query\":{\"match_all\":{}},\"rescore\":{\"window_size\":%s,\"quickscorer\":{%s}}}"
        .formatted(window, options);
  }

  private static void assertRefused(int status, String message, String body) {
    Map.Entry<Integer, String> failure = failure("/" + INDEX + "/_search", body);
    assertEquals(failure.getValue(), status, (int) failure.getKey());
    assertTrue(failure.getValue(), failure.getValue().contains(message));
  }

  private static final String FIT = "\"model\":\"m\",\"params\":{\"q\":\"war\"}";

  public void testClausesThatMakeNoSense() {
    assertRefused(400, "window_size", body(0, FIT));
    assertRefused(400, "window_size", body(-1, FIT));
    assertRefused(400, "max_rescore_window", body(10_001, FIT));
    assertRefused(400, "one of [model], [models] and [feature_set]", body(10, ""));
    assertRefused(
        400,
        "one of [model], [models] and [feature_set]",
        body(10, FIT + ",\"feature_set\":\"s\""));
    assertRefused(400, "unknown field [modle]", body(10, "\"modle\":\"m\""));
    assertRefused(400, "duplicate field [model]", body(10, FIT + ",\"model\":\"m\""));
    assertRefused(400, "log: expected", body(10, FIT + ",\"log\":\"yes\""));
    assertRefused(400, "params: expected", body(10, "\"model\":\"m\",\"params\":[]"));
    assertRefused(400, "[score_mode] must be", body(10, FIT + ",\"score_mode\":\"sum\""));
    assertRefused(400, "[outside_window] must be", body(10, FIT + ",\"outside_window\":\"x\""));
    assertRefused(400, "expected [raw] or [transformed]", body(10, FIT + ",\"output\":\"x\""));
    assertRefused(400, "unknown algorithm", body(10, FIT + ",\"algorithm\":\"x\""));
    assertRefused(400, "unknown field [plan]", body(10, FIT + ",\"plan\":\"qs tau=7 DS\""));
    assertRefused(400, "must be finite", body(10, FIT + ",\"model_weight\":1e300"));
  }

  public void testUnknownNames() {
    assertRefused(404, "[absent]", body(10, "\"model\":\"absent\""));
    assertRefused(404, "[absent]", body(10, "\"feature_set\":\"absent\""));
  }

  public void testParametersThatAreMissingOrWrong() throws IOException {
    assertRefused(400, "feature [title]: parameter [q] has no value", body(10, "\"model\":\"m\""));
    assertRefused(
        400,
        "parameter [mobile] must be a number",
        body(10, "\"model\":\"m\",\"params\":{\"q\":\"war\",\"mobile\":\"yes\"}"));
    // All features are logged, so all must be bound.
    assertRefused(
        400, "feature [unused]: parameter [nowhere] has no value", body(10, FIT + ",\"log\":true"));
  }

  public void testFeaturesThatDoNotFit() throws IOException {
    assertFeatureRefused(
        "[match] query does not support [oper]",
        "\"type\":\"query\",\"query\":{\"match\":{\"title\":{\"query\":\"a\",\"oper\":1}}}");
    assertFeatureRefused("unknown query", "\"type\":\"query\",\"query\":{\"no_such_query\":{}}");
    assertFeatureRefused("no field [absent]", "\"type\":\"field\",\"field\":\"absent\"");
    assertFeatureRefused("of type [text]", "\"type\":\"field\",\"field\":\"title\"");
    assertFeatureRefused("of type [keyword]", "\"type\":\"field\",\"field\":\"tag\"");
    assertFeatureRefused(
        "failed to create query",
        "\"type\":\"query\",\"query\":{\"match\":{\"popularity\":\"much\"}}");
    assertFeatureRefused("template: section [x]", "\"type\":\"query\",\"query\":\"{{#x}}\"");
  }

  private void assertFeatureRefused(String message, String feature) throws IOException {
    FeatureSet set;
    try {
      set = TestCatalogue.featureSet("{\"features\":[{\"name\":\"bad\"," + feature + "}]}");
    } catch (IllegalArgumentException e) {
      assertTrue(e.getMessage(), e.getMessage().contains("feature [bad]: " + message));
      return;
    }
    putFeatureSet("bad", set);
    String body = body(10, "\"feature_set\":\"bad\"");
    assertRefused(400, "feature [bad]: ", body);
    assertRefused(400, message, body);
  }

  public void testWhatTheServerRefuses() {
    assertRefused(400, "[sort]", body(10, FIT).replaceFirst("\\{", "{\"sort\":[\"popularity\"],"));
    assertRefused(
        400,
        "[scope] global",
        body(10, FIT).replaceFirst("\\{", "{\"collapse\":{\"field\":\"tag\"},"));
  }

  public void testAnEngineThatDoesNotFit() throws IOException {
    CompiledModel model = TestCatalogue.large("large", random);
    InMemoryModels.MODELS.put("large", model);
    String options = "\"model\":\"large\",\"params\":{\"q\":\"war\"},\"algorithm\":\"%s\"";
    assertRefused(400, "leaves", body(10, options.formatted("qs")));
    List<Hit> plain = search("/" + INDEX + "/_search", body(10, options.formatted("auto")));
    List<Hit> forced = search("/" + INDEX + "/_search", body(10, options.formatted("object")));
    assertEquals(plain, forced);
    assertRefused(400, "leaves", body(10, options.formatted("bwqs")));
    assertEquals(plain, search("/" + INDEX + "/_search", body(10, options.formatted("struct"))));
  }

  public void testMemoryThatIsNotToBeHad() throws Exception {
    call("PUT", "/_cluster/settings", requestLimit("\"1b\""));
    try {
      Map.Entry<Integer, String> failure = failure("/" + INDEX + "/_search", body(10, FIT));
      assertEquals(failure.getValue(), 429, (int) failure.getKey());
    } finally {
      call("PUT", "/_cluster/settings", requestLimit("null"));
    }
    assertEquals(10, search("/" + INDEX + "/_search", body(10, FIT)).size());
  }

  public void testParametersTakeMemoryUntilTheSearchEnds() throws Exception {
    String params = "{\"q\":\"war\",\"unused\":\"" + "x".repeat(1 << 16) + "\"}";
    String body = body(10, FIT.replaceFirst("\\{.*\\}", params));
    assertEquals(10, search("/" + INDEX + "/_search", body).size());
    call("PUT", "/_cluster/settings", requestLimit("\"32kb\""));
    try {
      Map.Entry<Integer, String> failure = failure("/" + INDEX + "/_search", body);
      assertEquals(failure.getValue(), 429, (int) failure.getKey());
      assertTrue(failure.getValue(), failure.getValue().contains("<quickscorer clause>"));
    } finally {
      call("PUT", "/_cluster/settings", requestLimit("null"));
    }
    CircuitBreakerService breakers = internalCluster().getInstance(CircuitBreakerService.class);
    assertBusy(
        () -> assertEquals(0, breakers.getBreaker(CircuitBreaker.REQUEST).getUsed()),
        60,
        TimeUnit.SECONDS);
  }

  private static String requestLimit(String limit) {
    return "{\"transient\":{\"indices.breaker.request.limit\":" + limit + "}}";
  }
}
