// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.memory.SearchSettings;
import io.quickscorer.plugin.testing.FreeBudget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.search.SearchModule;
import org.opensearch.test.OpenSearchTestCase;

/** What a request's parameters come to in a feature set is charged before it is there. */
public class TemplateBudgetTests extends OpenSearchTestCase {
  private static final NamedXContentRegistry REGISTRY =
      new NamedXContentRegistry(new SearchModule(Settings.EMPTY, List.of()).getNamedXContents());

  private static CircuitBreaker breaker(long limit) {
    return new HierarchyCircuitBreakerService(
            Settings.EMPTY,
            List.of(new BreakerSettings("requests", limit, 1.0)),
            new ClusterSettings(Settings.EMPTY, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS))
        .getBreaker("requests");
  }

  private FeatureSet set(int features, String query) throws IOException {
    String all =
        IntStream.range(0, features)
            .mapToObj(
                f ->
                    "{\"name\": \"f"
                        + f
                        + "\", \"type\": \"query\", \"query\": "
                        + query.replace("%d", Integer.toString(f))
                        + "}")
            .collect(Collectors.joining(",", "{\"features\": [", "]}"));
    return FeatureSet.read("set", Door.within(createParser(JsonXContent.jsonXContent, all)));
  }

  private static BoundFeatures bind(
      FeatureSet set, Map<String, Object> params, RequestBudget budget) {
    return BoundFeatures.bind(set, name -> true, params, REGISTRY, budget);
  }

  private static RequestBudget budget(CircuitBreaker breaker) {
    return new RequestBudget(breaker, SearchSettings.of(Settings.EMPTY));
  }

  public void testManyFeaturesThatRepeatAParameterAreRefused() throws IOException {
    FeatureSet set = set(200, "{\"term\": {\"k\": \"{{x}}%d\"}}");
    Map<String, Object> params = Map.of("x", "y".repeat(1_000_000));
    CircuitBreaker breaker = breaker(1L << 30);
    try (RequestBudget budget = budget(breaker)) {
      Exception e = expectThrows(IllegalArgumentException.class, () -> bind(set, params, budget));
      assertTrue(e.getMessage(), e.getMessage().startsWith("feature [f16]: "));
      assertTrue(
          e.getMessage(), e.getMessage().contains(SearchSettings.MAX_RENDERED_BYTES.getKey()));
    }
    assertEquals(0, breaker.getUsed());
  }

  public void testSectionsMultiplyAndAreRefusedByTheBreaker() throws IOException {
    FeatureSet set =
        set(2_000, "\"{\\\"terms\\\": {\\\"k\\\": [{{#a}}\\\"{{.}}\\\",{{/a}}\\\"%d\\\"]}}\"");
    Map<String, Object> params = Map.of("a", Collections.nCopies(20_000, "z"));
    CircuitBreaker breaker = breaker(1 << 20);
    try (RequestBudget budget = budget(breaker)) {
      CircuitBreakingException e =
          expectThrows(CircuitBreakingException.class, () -> bind(set, params, budget));
      assertTrue(e.getMessage(), e.getMessage().contains("rendered templates"));
    }
    assertEquals(0, breaker.getUsed());
  }

  public void testWhatIsRenderedStaysChargedUntilTheRequestIsOver() throws IOException {
    CircuitBreaker breaker = breaker(1L << 30);
    try (RequestBudget budget = budget(breaker)) {
      bind(set(10, "{\"term\": {\"k\": \"{{x}}%d\"}}"), Map.of("x", "a\"b"), budget);
      long text = "{\"term\":{\"k\":\"a\\\"b0\"}}".length();
      assertEquals(10 * text, budget.rendered());
      assertTrue(breaker.getUsed() >= 10 * text);
    }
    assertEquals(0, breaker.getUsed());
  }

  public void testVectorsAndScriptsAreChargedForEachFeature() throws IOException {
    String features =
        IntStream.range(0, 50)
            .mapToObj(
                f ->
                    "{\"name\": \"f"
                        + f
                        + "\", \"type\": \"vector\", \"field\": \"v\", \"param\": \"x\","
                        + " \"similarity\": \"dot\"}")
            .collect(Collectors.joining(",", "{\"features\": [", "]}"));
    FeatureSet set =
        FeatureSet.read("set", Door.within(createParser(JsonXContent.jsonXContent, features)));
    Map<String, Object> params = Map.of("x", Collections.nCopies(1_000_000, 1.0));
    try (RequestBudget budget = budget(breaker(1L << 30))) {
      expectThrows(IllegalArgumentException.class, () -> bind(set, params, budget));
    }
  }

  private static String nested(int depth) {
    return "{\"bool\":{\"must\":".repeat(depth) + "{\"match_all\":{}}" + "}}".repeat(depth);
  }

  public void testDeeplyNestedQueriesAreRefusedWhenTheSetIsRead() throws IOException {
    set(1, nested(40));
    Exception e = expectThrows(IllegalArgumentException.class, () -> set(1, nested(480)));
    assertTrue(e.getMessage(), e.getMessage().startsWith("features[0].query.bool.must.bool."));
    assertTrue(e.getMessage(), e.getMessage().endsWith("nested more than 320 levels deep"));
  }

  /** The server opens them when it rewrites the query. */
  public void testQueriesThatAWrapperHidesAreRefusedToo() throws IOException {
    String query = nested(30);
    for (int levels = 1; levels < 3; levels++) {
      query =
          "{\"wrapper\":{\"query\":\""
              + Base64.getEncoder().encodeToString(query.getBytes(StandardCharsets.UTF_8))
              + "\"}}";
      try (RequestBudget budget = budget(breaker(1L << 30))) {
        bind(set(1, query), Map.of(), budget);
      }
    }
    String deep = Base64.getEncoder().encodeToString(nested(60).getBytes(StandardCharsets.UTF_8));
    for (String wrapper : List.of("wrapper", "\\u0077rapper")) {
      FeatureSet set = set(1, "{\"" + wrapper + "\":{\"query\":\"" + deep + "\"}}");
      try (RequestBudget budget = budget(breaker(1L << 30))) {
        Exception e =
            expectThrows(IllegalArgumentException.class, () -> bind(set, Map.of(), budget));
        assertTrue(e.getMessage(), e.getMessage().contains("deep, at most 100 allowed"));
        // Escapes in the text of a parameter remain, because the text is inserted as it is.
        Map<String, Object> params =
            Map.of("q", "{\"" + wrapper + "\":{\"query\":\"" + deep + "\"}}");
        e =
            expectThrows(
                IllegalArgumentException.class, () -> bind(set(1, "\"{{{q}}}\""), params, budget));
        assertTrue(e.getMessage(), e.getMessage().contains("deep, at most 100 allowed"));
      }
    }
  }

  public void testQueriesThatParametersNestAreRefusedBeforeTheyAreParsed() throws IOException {
    FeatureSet set = set(1, "\"{{{q}}}\"");
    try (RequestBudget budget = budget(breaker(1L << 30))) {
      bind(set, Map.of("q", nested(40)), budget);
      Exception e =
          expectThrows(
              IllegalArgumentException.class, () -> bind(set, Map.of("q", nested(5_000)), budget));
      assertTrue(e.getMessage(), e.getMessage().contains("nested 10002 levels deep, at most 100"));
    }
  }

  /** Each field that an expression reads is a column of doubles while the feature is computed. */
  public void testFieldsOfExpressionsAreCounted() throws IOException {
    for (int fields = 1; fields <= 3; fields++) {
      String sum =
          IntStream.range(0, fields).mapToObj(f -> "field.f" + f).collect(Collectors.joining("+"));
      String json =
          "{\"features\": [{\"name\": \"e\", \"type\": \"expression\", \"expression\": \""
              + sum
              + " + params.now\"}]}";
      FeatureSet set =
          FeatureSet.read("set", Door.within(createParser(JsonXContent.jsonXContent, json)));
      BoundFeatures bound = bind(set, Map.of("now", 1), FreeBudget.create());
      assertEquals(fields, bound.features().getFirst().ownColumns());
    }
  }
}
