// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.testing.ContextRecorder;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.opensearch.client.Request;
import org.opensearch.client.Response;
import org.opensearch.client.ResponseException;
import org.opensearch.client.RestClient;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** What load balancers are told while a node loads its models. */
@ClusterScope(
    scope = Scope.TEST,
    numDataNodes = 1,
    numClientNodes = 1,
    supportsDedicatedMasters = false)
public class ReadyRestTests extends QuickScorerHttpTestCase {
  private static final String READY = BASE + "ready";

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(ContextRecorder.class);
    return plugins;
  }

  @After
  public void unlock() {
    ContextRecorder.unlock();
  }

  private static String node(boolean data) {
    for (ClusterService node : internalCluster().getInstances(ClusterService.class)) {
      if (node.localNode().isDataNode() == data) {
        return node.localNode().getName();
      }
    }
    throw new AssertionError("no such node");
  }

  private static Answer get(RestClient client, String path) throws IOException {
    Response response;
    try {
      response = client.performRequest(new Request("GET", path));
    } catch (ResponseException e) {
      response = e.getResponse();
    }
    return new Answer(
        response.getStatusLine().getStatusCode(),
        new String(response.getEntity().getContent().readAllBytes(), StandardCharsets.UTF_8),
        response.getHeader("Retry-After"));
  }

  /** The entry of the only data node. */
  private static Map<?, ?> dataNode(Answer answer) {
    String name = node(true);
    return ((Map<?, ?>) answer.at("nodes"))
        .values().stream()
            .map(entry -> (Map<?, ?>) entry)
            .filter(entry -> name.equals(entry.get("name")))
            .findFirst()
            .orElseThrow();
  }

  public void testNodeIsReadyWhenItsModelsAreLoaded() throws Exception {
    assertStatus(201, send("PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET));
    assertStatus(201, send("PUT", BASE + "models/m?feature_set=f", MarkedModels.file(7)));
    assertStatus(201, send("PUT", BASE + "models/n?feature_set=f", MarkedModels.file(8)));
    Answer whole = send("GET", READY);
    assertStatus(200, whole);
    assertEquals(true, whole.at("ready"));
    assertEquals(2, ((Map<?, ?>) whole.at("nodes")).size());
    assertEquals(2, dataNode(whole).get("loaded"));
    ContextRecorder.lock();
    internalCluster().restartRandomDataNode();
    try (RestClient data = restClient(node(true));
        RestClient coordinator = restClient(node(false))) {
      assertBusy(() -> assertTrue(ContextRecorder.held() > 0), 60, TimeUnit.SECONDS);
      for (RestClient client : List.of(data, coordinator)) {
        Answer loading = get(client, READY);
        assertStatus(503, loading);
        assertEquals("1", loading.retryAfter());
        assertEquals(false, loading.at("ready"));
        assertEquals(0, dataNode(loading).get("loaded"));
        assertThat(loading.body(), containsString("\"name\":\"m\""));
        assertThat(loading.body(), containsString("\"name\":\"n\""));
      }
      assertStatus(503, get(data, READY + "?local=true"));
      assertStatus(503, get(coordinator, BASE + node(true) + "/ready"));
      assertStatus(503, get(coordinator, BASE + "nowhere/ready"));
      assertStatus(503, get(coordinator, BASE + node(true) + "/ready?timeout=5s"));
      Answer both = get(coordinator, BASE + node(true) + "/ready?local=true");
      assertStatus(400, both);
      assertThat(both.body(), containsString("unrecognized parameter: [local]"));
      // A node that holds no data scores nothing that it would have to load.
      assertStatus(200, get(coordinator, READY + "?local=true"));
      ContextRecorder.unlock();
      assertBusy(() -> assertStatus(200, get(data, READY + "?local=true")), 60, TimeUnit.SECONDS);
      assertStatus(200, get(coordinator, READY));
    }
  }

  /** A model that can't be loaded keeps no node from work. */
  public void testBrokenModelIsNamed() throws Exception {
    assertStatus(201, send("PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET));
    assertStatus(201, send("PUT", BASE + "models/m?feature_set=f", MarkedModels.file(7)));
    String upload = ModelsMetadata.of(clusterService().state()).models().get("m").upload();
    client().prepareDelete(ModelIndex.NAME, upload + "-0").get();
    internalCluster().restartRandomDataNode();
    try (RestClient data = restClient(node(true))) {
      assertBusy(
          () -> {
            Answer ready = get(data, READY + "?local=true");
            assertStatus(200, ready);
            assertThat(
                ready.body(), containsString("stored chunk 1 of 1: the document is missing"));
          },
          60,
          TimeUnit.SECONDS);
    }
  }
}
