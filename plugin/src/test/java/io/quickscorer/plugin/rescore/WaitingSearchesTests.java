// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.testing.ContextRecorder;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.client.Request;
import org.opensearch.client.RequestOptions;
import org.opensearch.client.Response;
import org.opensearch.client.ResponseException;
import org.opensearch.client.ResponseListener;
import org.opensearch.client.RestClient;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** Searches that wait for a model go on as who sent them, and do not wait for ever. */
@ClusterScope(
    scope = Scope.TEST,
    numDataNodes = 1,
    numClientNodes = 1,
    supportsDedicatedMasters = false)
public class WaitingSearchesTests extends QuickScorerHttpTestCase {
  private static final int SHARDS = 2;

  /** Of each user; a client has no more than ten connections. */
  private static final int SEARCHES = 3;

  private static final List<String> USERS = List.of("ada", "ben", "cleo");

  /** Every kind of clause waits at a place of its own. */
  private static final List<String> CLAUSES =
      List.of(
          "\"model\":\"m\"",
          "\"model\":\"m\",\"log\":true",
          "\"model\":\"m\",\"algorithm\":\"object\"",
          "\"models\":[\"m\",\"n\"]");

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

  /** An index, and a model that no search may have to wait for. */
  private void begin(String maxWait) throws Exception {
    MarkedModels.createIndex(
        (method, path, body) -> assertEquals(200, send(method, path, body).status()),
        "d",
        SHARDS,
        40);
    assertStatus(
        200,
        send(
            "PUT",
            "/_cluster/settings",
            "{\"transient\":{\"quickscorer.model.max_wait\":\"" + maxWait + "\"}}"));
    assertStatus(201, send("PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET));
    assertStatus(201, send("PUT", BASE + "models/n?feature_set=f", MarkedModels.file(3)));
  }

  /** Returns when all nodes know the model, which an upload with a short timeout does not. */
  private void upload(String parameters) throws Exception {
    assertStatus(
        201, send("PUT", BASE + "models/m?feature_set=f" + parameters, MarkedModels.file(7)));
    assertBusy(
        () -> {
          for (ClusterService node : internalCluster().getInstances(ClusterService.class)) {
            assertTrue(ModelsMetadata.of(node.state()).models().containsKey("m"));
          }
        },
        60,
        TimeUnit.SECONDS);
  }

  private static String coordinatingNode() {
    for (ClusterService node : internalCluster().getInstances(ClusterService.class)) {
      if (!node.localNode().isDataNode()) {
        return node.getNodeName();
      }
    }
    throw new AssertionError("no node that only coordinates");
  }

  private static PlainActionFuture<Response> search(
      RestClient client, String user, String clause, String parameters) {
    Request request = new Request("POST", "/d/_search" + parameters);
    request.setOptions(
        RequestOptions.DEFAULT.toBuilder().addHeader(ContextRecorder.USER, user).build());
    request.setJsonEntity(
        MarkedModels.search(clause, 0, 10, 100)
            .replaceFirst("\\{", "{\"stats\":[\"" + user + "\"],"));
    PlainActionFuture<Response> answer = PlainActionFuture.newFuture();
    client.performRequestAsync(
        request,
        new ResponseListener() {
          @Override
          public void onSuccess(Response response) {
            answer.onResponse(response);
          }

          @Override
          public void onFailure(Exception failure) {
            answer.onFailure(failure);
          }
        });
    return answer;
  }

  /**
   * While the model is kept from being read, searches of all users wait for it; then they go on.
   */
  private void assertEachGoesOnAsItself(String parameters) throws Exception {
    try (RestClient client = restClient(coordinatingNode())) {
      List<PlainActionFuture<Response>> answers = new ArrayList<>();
      for (int i = 0; i < SEARCHES; i++) {
        for (String user : USERS) {
          answers.add(
              search(client, user, CLAUSES.get(answers.size() % CLAUSES.size()), parameters));
        }
      }
      assertBusy(
          () -> assertEquals(answers.size() * SHARDS, waitingShards()), 60, TimeUnit.SECONDS);
      assertTrue(answers.stream().noneMatch(PlainActionFuture::isDone));
      ContextRecorder.unlock();
      for (PlainActionFuture<Response> answer : answers) {
        assertEquals(200, answer.actionGet().getStatusLine().getStatusCode());
      }
    }
    Set<String> expected = new TreeSet<>();
    for (String user : USERS) {
      expected.add("any search as " + user);
      expected.add(user + " query as " + user);
      expected.add(user + " fetch as " + user);
    }
    assertEquals(expected, new TreeSet<>(ContextRecorder.phases()));
    assertEquals(Set.of("null"), ContextRecorder.reads());
  }

  private static long waitingShards() {
    return client()
        .admin()
        .cluster()
        .prepareListTasks()
        .setActions("indices:data/read/search[phase/query]")
        .get()
        .getTasks()
        .size();
  }

  public void testAfterAnUploadThatDidNotWait() throws Exception {
    begin("10m");
    ContextRecorder.lock();
    upload("&timeout=1ms");
    assertEachGoesOnAsItself("");
  }

  public void testAfterARestart() throws Exception {
    begin("10m");
    upload("");
    ContextRecorder.lock();
    internalCluster().restartRandomDataNode();
    ensureYellow("d");
    assertEachGoesOnAsItself("");
  }

  public void testOnANodeThatJoins() throws Exception {
    begin("10m");
    upload("");
    ContextRecorder.lock();
    String joined = internalCluster().startDataOnlyNode();
    ensureGreen("d");
    DiscoveryNode node = internalCluster().getInstance(ClusterService.class, joined).localNode();
    assertEachGoesOnAsItself("?preference=_only_nodes:" + node.getId());
  }

  public void testWaitIsBounded() throws Exception {
    begin("1ms");
    ContextRecorder.lock();
    upload("&timeout=1ms");
    try (RestClient client = restClient(coordinatingNode())) {
      PlainActionFuture<Response> answer = search(client, "ada", CLAUSES.getFirst(), "");
      Exception failure = expectThrows(Exception.class, () -> answer.actionGet());
      ResponseException refused =
          (ResponseException) ExceptionsHelper.unwrap(failure, ResponseException.class);
      assertNotNull(failure.toString(), refused);
      Response response = refused.getResponse();
      assertEquals(503, response.getStatusLine().getStatusCode());
      assertEquals("1", response.getHeader("Retry-After"));
      assertThat(
          new String(response.getEntity().getContent().readAllBytes(), StandardCharsets.UTF_8),
          containsString("was not loaded on this node within 1ms, the value of setting"));
      ContextRecorder.unlock();
    }
    assertBusy(
        () -> assertStatus(200, send("POST", "/d/_search", MarkedModels.search("m", 10))),
        60,
        TimeUnit.SECONDS);
  }
}
