// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.stats.Measure;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** Searches of the node's own that no user has asked for. */
@ClusterScope(scope = Scope.TEST, numDataNodes = 1, supportsDedicatedMasters = false)
public class SearchWarmUpTests extends QuickScorerHttpTestCase {
  private static final String BASE = "/_plugins/_quickscorer/";

  @Override
  protected Settings nodeSettings(int ordinal) {
    return Settings.builder()
        .put(super.nodeSettings(ordinal))
        .put(ModelSettings.WARM_UP.getKey(), "10s")
        .build();
  }

  private void createAndFill() throws IOException {
    String mapping =
        """
        {"settings": {"number_of_shards": 1, "number_of_replicas": 0}, "mappings": {"properties": {
          "title": {"type": "text"}, "price": {"type": "float"}}}}
        """;
    assertStatus(200, send("PUT", "/products", mapping));
    for (int i = 0; i < 5; i++) {
      String product = "{\"title\": \"red shoe number " + i + "\", \"price\": " + i + "}";
      assertStatus(201, send("PUT", "/products/_doc/" + i + "?refresh=true", product));
    }
  }

  /**
   * The node is shared by the tests: each has a kind of query of its own, which none has warmed.
   */
  private void putModel(String name, String field, String query) throws IOException {
    String set =
        """
        {"features": [
          {"name": "match", "type": "query", "query": {"%s": {"title": "{{words}}"}}},
          {"name": "number", "type": "field", "field": "%s"}]}
        """
            .formatted(query, field);
    assertStatus(201, send("PUT", BASE + "feature_sets/" + name, set));
    assertStatus(
        201,
        send(
            "PUT",
            BASE + "models/" + name + "?format=linear_json&feature_set=" + name,
            "{\"match\": 1, \"number\": 2}"));
  }

  private int searches() throws IOException {
    Object count =
        send("GET", "/products/_stats/search").at("_all", "primaries", "search", "query_total");
    return ((Number) count).intValue();
  }

  /** On all nodes: one without data, which a test cluster may have, has nothing to run. */
  private static void assertEnds() throws Exception {
    assertBusy(
        () -> {
          for (SearchWarmUp warmUp : internalCluster().getInstances(SearchWarmUp.class)) {
            assertFalse(warmUp.isRunning());
          }
        },
        1,
        TimeUnit.MINUTES);
  }

  private static void assertUncounted() {
    for (RescoreStats stats : internalCluster().getInstances(RescoreStats.class)) {
      assertEquals(0, stats.counts().counts().of(Measure.Rescore.SEARCHES));
      assertEquals(0, stats.counts().counts().of(Measure.Rescore.WINDOWS));
    }
  }

  public void testLoadedModelIsSearchedBy() throws Exception {
    createAndFill();
    putModel("ranker", "price", "match");
    // One of them takes words from the documents.
    assertBusy(() -> assertTrue(searches() > 1), 1, TimeUnit.MINUTES);
    assertEnds();
    assertUncounted();
  }

  public void testModelOfTheSameKindsNeedsNone() throws Exception {
    createAndFill();
    putModel("ranker", "price", "match_phrase");
    assertBusy(() -> assertTrue(searches() > 1), 1, TimeUnit.MINUTES);
    assertEnds();
    int before = searches();
    putModel("another", "price", "match_phrase");
    assertEnds();
    assertEquals(before, searches());
  }

  public void testModelWaitsForItsIndex() throws Exception {
    putModel("ranker", "price", "match_bool_prefix");
    assertEnds();
    createAndFill();
    // The shard may have started without documents: then a search has no words, and a sample is
    // used.
    assertBusy(() -> assertTrue(searches() > 1), 1, TimeUnit.MINUTES);
    assertEnds();
    assertUncounted();
  }

  public void testIndexThatDoesNotFit() throws Exception {
    createAndFill();
    putModel("ranker", "nowhere", "match_phrase_prefix");
    assertBusy(() -> assertTrue(searches() > 0), 1, TimeUnit.MINUTES);
    assertEnds();
    assertUncounted();
    assertStatus(200, send("GET", "/products/_search"));
  }
}
