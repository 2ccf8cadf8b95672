// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.After;
import org.junit.Before;
import org.opensearch.client.Request;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Pipelines of the whole plugin over HTTP: what is refused when they are stored, and counted. */
@ClusterScope(numDataNodes = 2, supportsDedicatedMasters = false)
public class PipelineRestTests extends QuickScorerHttpTestCase {
  private static final String PIPELINE = "/_search/pipeline/shop";

  @Before
  public void putModels() throws Exception {
    MarkedModels.createIndex(this::ok, "docs", 2, 40);
    ok("PUT", BASE + "feature_sets/marked", MarkedModels.FEATURE_SET);
    for (int mark = 1; mark <= 2; mark++) {
      ok("PUT", BASE + "models/m" + mark + "?feature_set=marked", MarkedModels.file(mark));
    }
    ok("PUT", BASE + "aliases/prod", "{\"model\":\"m1\"}");
  }

  @After
  public void deleteAll() throws Exception {
    send("DELETE", PIPELINE);
    ok("DELETE", BASE + "aliases/prod", "");
    for (Object model : (List<?>) send("GET", BASE + "models").at("models")) {
      ok("DELETE", BASE + "models/" + ((Map<?, ?>) model).get("name"), "");
    }
  }

  private void ok(String method, String path, String body) throws Exception {
    Answer answer = send(method, path, body);
    assertTrue(answer.body(), answer.status() < 300);
  }

  private Answer put(String processor) throws Exception {
    return send(
        "PUT", PIPELINE, "{\"request_processors\":[{\"quickscorer\":{" + processor + "}}]}");
  }

  public void testWrongProcessorsAreRefusedWithTheirPlace() throws Exception {
    assertRefused(404, "no model [nowhere]", "\"model\":\"nowhere\"");
    assertRefused(400, "expected one of [model], [models] and [feature_set]", "");
    assertRefused(400, "unknown field [modle]", "\"modle\":\"m1\"");
    assertRefused(400, "score_mode", "\"model\":\"m1\",\"score_mode\":\"best\"");
    assertRefused(400, "[window_size] expected a whole", "\"model\":\"m1\",\"window_size\":0");
    assertRefused(400, "[share] expected a number", "\"model\":\"m1\",\"share\":1.5");
    assertRefused(400, "[index] expected a string", "\"model\":\"m1\",\"index\":[1]");
    assertRefused(400, "[params_from] expected an object", "\"model\":\"m1\",\"params_from\":[]");
    assertRefused(400, "[q] must be {", "\"model\":\"m1\",\"params_from\":{\"q\":\"match\"}");
    assertRefused(
        400, "empty name", "\"model\":\"m1\",\"params_from\":{\"q\":{\"path\":\"query..match\"}}");
    assertRefused(
        400,
        "more than 64 names",
        "\"model\":\"m1\",\"params_from\":{\"q\":{\"path\":\"" + "a.".repeat(64) + "b\"}}");
    assertRefused(400, "[max_wait] must be 0", "\"model\":\"m1\",\"max_wait\":\"-1\"");
    Answer response =
        send(
            "PUT",
            PIPELINE,
            "{\"response_processors\":[{\"quickscorer\":{\"models\":[\"m1\",\"m2\"],"
                + "\"interleave\":{\"seed\":1}}}]}");
    assertStatus(400, response);
    assertThat(response.body(), containsString("[interleave] is only for request processors"));
    assertStatus(404, send("GET", PIPELINE));
  }

  public void testAPipelineThatIgnoresFailuresMayComeBeforeItsAlias() throws Exception {
    // Of a name of its own: the statistics count by name.
    String search = "/docs/_search?search_pipeline=early";
    Request request = new Request("PUT", "/_search/pipeline/early");
    request.setJsonEntity(
        "{\"request_processors\":[{\"quickscorer\":"
            + "{\"model\":\"later\",\"ignore_failure\":true}}]}");
    assertEquals(
        List.of("no model [later]; searches are not ranked until the model exists"),
        getRestClient().performRequest(request).getWarnings());
    assertStatus(200, send("POST", search, "{}"));
    ok("PUT", BASE + "aliases/later", "{\"model\":\"m2\"}");
    try {
      assertEquals(Set.of(2), MarkedModels.marks(send("POST", search, "{}").json()));
      assertEquals(List.of(), getRestClient().performRequest(request).getWarnings());
    } finally {
      ok("DELETE", BASE + "aliases/later", "");
      ok("DELETE", "/_search/pipeline/early", "");
    }
  }

  private void assertRefused(int status, String message, String processor) throws Exception {
    Answer answer = put(processor);
    assertStatus(status, answer);
    assertThat(answer.body(), containsString(message));
  }

  /** The server calls a processor from within the one before. */
  public void testAPipelineOfAnyNumberOfProcessorsIsAnswered() throws Exception {
    String one = "{\"quickscorer\":{\"model\":\"m1\"}}";
    String many = "[" + (one + ",").repeat(4_999) + one + "]";
    for (String kind : List.of("request", "response")) {
      ok("PUT", "/_search/pipeline/many", "{\"" + kind + "_processors\":" + many + "}");
      // Each response processor would send a search; with size 0 they leave the hits as they are.
      String search = kind.equals("request") ? "{}" : "{\"size\":0}";
      Answer answer = send("POST", "/docs/_search?search_pipeline=many", search);
      assertStatus(200, answer);
      if (kind.equals("request")) {
        assertEquals(Set.of(1), MarkedModels.marks(answer.json()));
      }
    }
    Answer ranked = send("POST", "/docs/_search?search_pipeline=many", "{}");
    assertStatus(400, ranked);
    assertThat(ranked.body(), containsString("more than 32 processors [quickscorer]"));
    ok("DELETE", "/_search/pipeline/many", "");
  }

  public void testRequestsMayBringParamsAndNothingElse() throws Exception {
    for (String ext :
        List.of("{\"quickscorer\":{\"models\":[]}}", "{\"quickscorer\":{\"params\":1}}")) {
      assertStatus(400, send("POST", "/docs/_search", "{\"ext\":" + ext + "}"));
    }
    // A search that no pipeline ranks may bring them all the same.
    assertStatus(
        200, send("POST", "/docs/_search", "{\"ext\":{\"quickscorer\":{\"params\":{\"q\":1}}}}"));
  }

  public void testAnAliasIsFollowedAndPipelinesAreCounted() throws Exception {
    assertStatus(200, put("\"model\":\"prod\""));
    String search = "/docs/_search?search_pipeline=shop";
    assertEquals(Set.of(1), MarkedModels.marks(send("POST", search, "{}").json()));
    ok("PUT", BASE + "aliases/prod", "{\"model\":\"m2\"}");
    assertEquals(Set.of(2), MarkedModels.marks(send("POST", search, "{}").json()));
    assertStatus(200, send("POST", search, "{\"sort\":[\"p\"]}"));
    long ranked = 0;
    long sorted = 0;
    for (Object node : ((Map<?, ?>) send("GET", BASE + "stats").at("nodes")).values()) {
      Map<?, ?> pipelines =
          (Map<?, ?>) ((Map<?, ?>) ((Map<?, ?>) node).get("rescore")).get("pipelines");
      if (pipelines.get("shop") instanceof Map<?, ?> shop) {
        ranked += ((Number) shop.get("ranked")).longValue();
        Object left = ((Map<?, ?>) shop.get("left_alone")).get("sort");
        sorted += left == null ? 0 : ((Number) left).longValue();
      }
    }
    assertEquals(2, ranked);
    assertEquals(1, sorted);
    ok("PUT", BASE + "aliases/prod", "{\"model\":\"m1\"}");
  }
}
