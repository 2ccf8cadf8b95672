// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPipelinePlugin;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.pipeline.AbstractProcessor;
import org.opensearch.search.pipeline.PipelineProcessingContext;
import org.opensearch.search.pipeline.Processor;
import org.opensearch.search.pipeline.SearchRequestProcessor;
import org.opensearch.transport.client.Client;

/** Searches that become several, through pipelines with other processors than ours. */
public class PipelineFallbackTests extends GlobalTestCase {
  private static final Set<String> ADMITTED = Set.of("1", "2", "3");
  private static final String FROM =
      "\"params\":{\"nowhere\":\"x\"},\"params_from\":{\"q\":{\"query_text\":[\"match\"]}}";

  /** Processors of other plugins. */
  public static final class Others extends Plugin implements SearchPipelinePlugin {
    @Override
    public Map<String, Processor.Factory<SearchRequestProcessor>> getRequestProcessors(
        SearchPipelinePlugin.Parameters parameters) {
      return Map.of(
          "admit", (f, tag, d, i, config, c) -> new Admit(tag, d, i),
          "twice", (f, tag, d, i, config, c) -> new Twice(tag, d, i),
          "cancel", (f, tag, d, i, config, c) -> new Cancel(tag, d, i, parameters.client));
    }
  }

  /** Filters, as the server's {@code filter_query}. */
  private static final class Admit extends AbstractProcessor implements SearchRequestProcessor {
    Admit(String tag, String description, boolean ignoreFailure) {
      super(tag, description, ignoreFailure);
    }

    @Override
    public String getType() {
      return "admit";
    }

    @Override
    public SearchRequest processRequest(SearchRequest request) {
      SearchSourceBuilder source = request.source();
      source.query(
          QueryBuilders.boolQuery()
              .must(source.query())
              .filter(QueryBuilders.idsQuery().addIds(ADMITTED.toArray(String[]::new))));
      return request;
    }
  }

  /** Changes the source in place, as the server's {@code oversample}. */
  private static final class Twice extends AbstractProcessor implements SearchRequestProcessor {
    Twice(String tag, String description, boolean ignoreFailure) {
      super(tag, description, ignoreFailure);
    }

    @Override
    public String getType() {
      return "twice";
    }

    @Override
    public SearchRequest processRequest(SearchRequest request) {
      request.source().size(2 * request.source().size());
      return request;
    }
  }

  /** Fails after the search was cancelled. */
  private static final class Cancel extends AbstractProcessor implements SearchRequestProcessor {
    private final Client client;

    Cancel(String tag, String description, boolean ignoreFailure, Client client) {
      super(tag, description, ignoreFailure);
      this.client = client;
    }

    @Override
    public String getType() {
      return "cancel";
    }

    @Override
    public SearchRequest processRequest(SearchRequest request) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void processRequestAsync(
        SearchRequest request,
        PipelineProcessingContext context,
        ActionListener<SearchRequest> listener) {
      client
          .threadPool()
          .generic()
          .execute(
              () -> {
                client
                    .admin()
                    .cluster()
                    .prepareCancelTasks()
                    .setActions("indices:data/read/search")
                    .get();
                listener.onFailure(new IllegalStateException("came too late"));
              });
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(Others.class);
    return plugins;
  }

  @Before
  public void indicesAndModels() throws IOException {
    createIndices();
    putModel("m", 15);
    putModel("n", 17);
  }

  @After
  public void nothingIsLeft() throws Exception {
    call("DELETE", "/_search/pipeline/*", null);
    assertNothingHeld();
    InMemoryModels.MODELS.clear();
  }

  private static void pipeline(String name, String processors) throws IOException {
    call("PUT", "/_search/pipeline/" + name, "{" + processors + "}");
  }

  private static void byDefault(String pipeline) throws IOException {
    call("PUT", "/of5/_settings", "{\"index.search.default_pipeline\": " + pipeline + "}");
  }

  private static Set<String> ids(Map<String, Object> response) {
    Set<String> ids = new HashSet<>();
    hits(response).forEach(hit -> ids.add(hit.id()));
    return ids;
  }

  private static String interleaved(String text) {
    return body(0, 10, text, 40, "\"models\":[\"m\",\"n\"],\"interleave\":{\"seed\":5}")
        .replace("\"model\": \"m\",", "");
  }

  public void testWhatAPipelineFiltersStaysFiltered() throws IOException {
    pipeline("tenant", "\"request_processors\":[{\"admit\":{}}]");
    String plain = body(0, 10, "war sea", 40, "\"log\":false");
    String fallback = body(0, 10, "war sea", 40, "\"budget_ms\":0");
    for (String body : List.of(plain, fallback, interleaved("war sea"))) {
      assertEquals(body, ADMITTED, ids(call("POST", "/of5/_search?search_pipeline=tenant", body)));
    }
    byDefault("\"tenant\"");
    for (String body : List.of(plain, fallback, interleaved("war sea"))) {
      assertEquals(body, ADMITTED, ids(call("POST", "/of5/_search", body)));
      assertEquals(body, 10, ids(call("POST", "/of5/_search?search_pipeline=_none", body)).size());
    }
  }

  /** The number of hits that shards return is no longer that which the clause was bound for. */
  public void testAPageThatAPipelineEnlarges() throws IOException {
    pipeline("double", "\"request_processors\":[{\"twice\":{}}]");
    for (String index : List.of("of1", "of5")) {
      String path = "/" + index + "/_search";
      call("POST", path, body(0, 1, "war", 40, "\"scope\":\"shard\""));
      for (int i = 0; i < 10; i++) {
        String global = body(3, 5, tellingWords(2), 40, "\"scope\":\"global\"");
        assertEquals(
            places(hits(call("POST", path, global))),
            places(hits(call("POST", path + "?search_pipeline=double", global))));
      }
    }
  }

  public void testAnyPreference() throws IOException {
    pipeline("hits", "\"response_processors\":[{\"quickscorer\":{\"model\":\"n\"," + FROM + "}}]");
    String body = "{\"size\":5,\"query\":" + query(tellingWords(2)) + "}";
    String path = "/of5/_search?search_pipeline=hits&search_type=query_then_fetch";
    List<String> expected = places(hits(call("POST", path, body)));
    for (String preference :
        List.of("user17", "_local", "_shards:0,1,2,3,4", "_shards:0,1,2,3,4%7C_local")) {
      assertEquals(
          preference,
          expected,
          places(hits(call("POST", path + "&preference=" + preference, body))));
    }
  }

  public void testAFallbackIsTheFirstPass() throws IOException {
    String text = tellingWords(2);
    String first = "{\"size\":5,\"query\":" + query(text) + "}";
    List<String> expected = places(hits(call("POST", "/of5/_search", first)));
    pipeline("hits", "\"response_processors\":[{\"quickscorer\":{\"model\":\"n\"," + FROM + "}}]");
    byDefault("\"hits\"");
    assertEquals(
        expected,
        places(hits(call("POST", "/of5/_search", body(0, 5, text, 40, "\"budget_ms\":0")))));
  }

  public void testAFallbackHasAsManyHits() throws IOException {
    putModel("gone", 15);
    pipeline(
        "safe",
        "\"request_processors\":[{\"twice\":{}},{\"quickscorer\":{\"model\":\"gone\","
            + "\"ignore_failure\":true,"
            + FROM
            + "}}]");
    InMemoryModels.MODELS.remove("gone");
    String body = "{\"size\":5,\"query\":" + query("war sea") + "}";
    assertEquals(10, ids(call("POST", "/of5/_search?search_pipeline=safe", body)).size());
    byDefault("\"safe\"");
    assertEquals(10, ids(call("POST", "/of5/_search", body)).size());
  }

  public void testDocumentsOfOneIdAreSeveral() throws IOException {
    call(
        "PUT",
        "/routed",
        "{\"settings\":{\"number_of_shards\":5,\"number_of_replicas\":0},\"mappings\":"
            + TestCatalogue.MAPPING
            + "}");
    for (String routing : List.of("a", "b", "c", "d", "e", "f")) {
      call(
          "PUT",
          "/routed/_doc/1?refresh=true&routing=" + routing,
          "{\"body\": \"war sea\", \"rank\": " + randomIntBetween(1, 9) + "}");
    }
    int plain =
        hits(call("POST", "/routed/_search", body(0, 10, "war sea", 40, "\"log\":false"))).size();
    assertTrue("of several shards", plain > 1);
    assertEquals(plain, hits(call("POST", "/routed/_search", interleaved("war sea"))).size());
  }

  public void testACancelledSearchIsAnswered() throws Exception {
    for (boolean ignore : new boolean[] {false, true}) {
      pipeline(
          "late",
          "\"request_processors\":[{\"quickscorer\":{\"model\":\"m\",\"ignore_failure\":"
              + ignore
              + ",\"params\":{\"q\":\"x\",\"nowhere\":\"x\"}}},{\"cancel\":{}}]");
      PlainActionFuture<SearchResponse> answer = PlainActionFuture.newFuture();
      client()
          .search(
              new SearchRequest("of5")
                  .pipeline("late")
                  .source(new SearchSourceBuilder().query(QueryBuilders.matchAllQuery())),
              answer);
      Exception failure =
          expectThrows(Exception.class, () -> answer.actionGet(TimeValue.timeValueSeconds(60)));
      assertTrue("is answered", answer.isDone());
      assertTrue(
          failure.toString(),
          failure instanceof TaskCancelledException || failure instanceof IllegalStateException);
      assertBusy(
          () ->
              assertEquals(
                  0,
                  client()
                      .admin()
                      .cluster()
                      .prepareListTasks()
                      .setActions("indices:data/read/search")
                      .get()
                      .getTasks()
                      .size()),
          60,
          TimeUnit.SECONDS);
    }
  }
}
