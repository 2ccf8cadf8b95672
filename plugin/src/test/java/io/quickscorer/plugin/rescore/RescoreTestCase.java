// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.stats.Measure;
import io.quickscorer.plugin.testing.IntegTestCase;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.opensearch.client.Request;
import org.opensearch.client.Response;
import org.opensearch.client.ResponseException;
import org.opensearch.common.network.NetworkModule;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.transport.Netty4ModulePlugin;

/** Two data nodes over real HTTP with the rescore clause and models from memory. */
@OpenSearchIntegTestCase.ClusterScope(numDataNodes = 2, supportsDedicatedMasters = false)
abstract class RescoreTestCase extends IntegTestCase {
  /** One hit as the response shows it. */
  record Hit(String id, Object score, Map<String, Object> fields, Object explanation) {
    float floatScore() {
      return ((Number) score).floatValue();
    }

    @SuppressWarnings("unchecked")
    List<Map<String, Object>> logged() {
      return (List<Map<String, Object>>) fields.getOrDefault("_quickscorer", List.of());
    }

    /** The logged features of the first clause, NaN for null. */
    float[] row() {
      List<?> features = (List<?>) logged().get(0).get("features");
      float[] row = new float[features.size()];
      for (int f = 0; f < row.length; f++) {
        row[f] = features.get(f) == null ? Float.NaN : ((Number) features.get(f)).floatValue();
      }
      return row;
    }

    double loggedScore() {
      return ((Number) logged().get(0).get("score")).doubleValue();
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(TestRescorePlugin.class, Netty4ModulePlugin.class);
  }

  @Override
  protected boolean addMockHttpTransport() {
    return false;
  }

  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .put(NetworkModule.HTTP_TYPE_KEY, Netty4ModulePlugin.NETTY_HTTP_TRANSPORT_NAME)
        .build();
  }

  final SplittableRandom random = new SplittableRandom(randomLong());

  CompiledModel putModel(String name, int trees) throws IOException {
    CompiledModel model = TestCatalogue.model(name, random, trees);
    InMemoryModels.MODELS.put(name, model);
    return model;
  }

  void putFeatureSet(String name, FeatureSet set) {
    InMemoryModels.FEATURE_SETS.put(name, set);
  }

  /** Documents in several segments, some of them deleted again. Returns how many are left. */
  int createCatalogue(String index, int shards, int documents) throws IOException {
    createIndex(
        index,
        Settings.builder()
            .put("index.number_of_shards", shards)
            .put("index.number_of_replicas", 0)
            .put("index.merge.policy.segments_per_tier", 50)
            .build());
    call("PUT", "/" + index + "/_mapping", TestCatalogue.MAPPING);
    int left = 0;
    for (int segment = 0; segment < 4; segment++) {
      StringBuilder bulk = new StringBuilder();
      for (int i = 0; i < documents / 4; i++) {
        int id = segment * (documents / 4) + i;
        bulk.append("{\"index\":{\"_id\":\"").append(id).append("\"}}\n");
        bulk.append(json(TestCatalogue.document(random))).append('\n');
        left++;
      }
      for (int i = 0; i < documents / 40; i++) {
        int id = segment * (documents / 4) + i * 3;
        bulk.append("{\"delete\":{\"_id\":\"").append(id).append("\"}}\n");
        left--;
      }
      // Delete what an earlier segment holds, so that the deletion shows in a segment.
      if (segment > 0) {
        int id = (segment - 1) * (documents / 4) + 1;
        bulk.append("{\"delete\":{\"_id\":\"").append(id).append("\"}}\n");
        left--;
      }
      Map<String, Object> done = call("POST", "/" + index + "/_bulk?refresh=true", bulk.toString());
      assertEquals(false, done.get("errors"));
    }
    return left;
  }

  static String json(Map<String, Object> map) throws IOException {
    return XContentFactory.jsonBuilder().map(map).toString();
  }

  /** Sends a request over HTTP; fails on any status but 200 and 201. */
  static Map<String, Object> call(String method, String path, String body) throws IOException {
    Request request = new Request(method, path);
    request.setJsonEntity(body);
    Response response = getRestClient().performRequest(QuickScorerHttpTestCase.patient(request));
    try (var content = response.getEntity().getContent()) {
      return XContentHelper.convertToMap(JsonXContent.jsonXContent, content, true);
    }
  }

  List<Hit> search(String path, String body) throws IOException {
    Map<String, Object> response = call("POST", path, body);
    Map<?, ?> shards = (Map<?, ?>) response.get("_shards");
    assertEquals(response.toString(), 0, shards.get("failed"));
    return hits(response);
  }

  @SuppressWarnings("unchecked")
  static List<Hit> hits(Map<String, Object> response) {
    List<Hit> hits = new ArrayList<>();
    for (Object hit : (List<?>) ((Map<?, ?>) response.get("hits")).get("hits")) {
      Map<String, Object> map = (Map<String, Object>) hit;
      hits.add(
          new Hit(
              (String) map.get("_id"),
              map.get("_score"),
              (Map<String, Object>) map.getOrDefault("fields", Map.of()),
              map.get("_explanation")));
    }
    return hits;
  }

  /** Sends a request that must fail; its status and body. */
  static Map.Entry<Integer, String> failure(String path, String body) {
    ResponseException e = expectThrows(ResponseException.class, () -> call("POST", path, body));
    return Map.entry(e.getResponse().getStatusLine().getStatusCode(), e.getMessage());
  }

  /** The scores of all documents that match a query. */
  Map<String, Float> plainScores(String index, String searchType, String query) throws IOException {
    Map<String, Float> scores = new LinkedHashMap<>();
    String body = "{\"size\":1000,\"query\":" + query + "}";
    for (Hit hit : search("/" + index + "/_search?search_type=" + searchType, body)) {
      scores.put(hit.id(), hit.floatScore());
    }
    return scores;
  }

  Iterable<TestRescorePlugin> plugins() {
    List<TestRescorePlugin> plugins = new ArrayList<>();
    for (PluginsService service : internalCluster().getInstances(PluginsService.class)) {
      plugins.addAll(service.filterPlugins(TestRescorePlugin.class));
    }
    return plugins;
  }

  /** Whatever a test did, nothing may be left of it, and no score may have been wrong. */
  void assertNothingHeld() throws Exception {
    assertEquals(Map.of(), InMemoryModels.QUARANTINED);
    assertBusy(
        () -> {
          assertEquals(0, InMemoryModels.USES.get());
          for (TestRescorePlugin plugin : plugins()) {
            assertEquals(0, plugin.module.waitingRows());
            assertEquals(0, plugin.verified.counts().all().of(Measure.Verify.FAILURES));
            assertEquals(
                0, plugin.verified.counts().all().of(Measure.Verify.REFERENCE_DISAGREEMENTS));
          }
        },
        60,
        TimeUnit.SECONDS);
  }
}
