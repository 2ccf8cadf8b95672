// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.opensearch.client.Request;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.Strings;
import org.opensearch.plugins.Plugin;
import org.opensearch.script.mustache.MustacheModulePlugin;

/** Searches without a clause, ranked by a search pipeline. */
public class PipelineSearchTests extends RescoreTestCase {
  private static final String FROM_TEXT =
      "\"params_from\":{\"q\":{\"query_text\":[\"match\",\"multi_match\",\"query_string\"]}}";

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(MustacheModulePlugin.class);
    return plugins;
  }

  @After
  public void nothingIsHeld() throws Exception {
    for (String index : List.of("shop", "bare")) {
      if (indexExists(index)) {
        setDefault(index, null);
      }
    }
    call("DELETE", "/_search/pipeline/*", null);
    assertNothingHeld();
  }

  private static void putPipeline(String name, String processor) throws IOException {
    call(
        "PUT",
        "/_search/pipeline/" + name,
        "{\"request_processors\":[{\"quickscorer\":{" + processor + "}}]}");
  }

  private static void setDefault(String index, String pipeline) throws IOException {
    String name = pipeline == null ? "null" : "\"" + pipeline + "\"";
    call("PUT", "/" + index + "/_settings", "{\"index.search.default_pipeline\":" + name + "}");
  }

  private String query(String text) {
    return switch (random.nextInt(4)) {
      case 0 -> "{\"match\":{\"body\":\"" + text + "\"}}";
      case 1 -> "{\"multi_match\":{\"query\":\"" + text + "\",\"fields\":[\"title\",\"body\"]}}";
      case 2 -> "{\"query_string\":{\"query\":\"" + text + "\",\"default_field\":\"body\"}}";
      default ->
          "{\"bool\":{\"must_not\":{\"match\":{\"title\":\"king"
              + " king\"}},\"should\":[{\"match\":{\"body\":{\"query\":\""
              + text
              + "\"}}},{\"match\":{\"title\":\"sea\"}}]}}";
    };
  }

  private static Object hitsOf(Map<String, Object> answer) {
    assertEquals(answer.toString(), 0, ((Map<?, ?>) answer.get("_shards")).get("failed"));
    return answer.get("hits");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> ext(Map<String, Object> answer) {
    return (Map<String, Object>)
        ((List<?>) ((Map<?, ?>) answer.get("ext")).get("quickscorer")).get(0);
  }

  private static Map<String, Object> only(List<?> answers) {
    assertEquals(1, answers.size());
    return castMap(answers.get(0));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> castMap(Object map) {
    return (Map<String, Object>) map;
  }

  public void testPlainSearchesAreTheClausesSearches() throws Exception {
    createCatalogue("shop", 3, 200);
    putModel("m", 20);
    putPipeline(
        "ranked",
        "\"model\":\"m\",\"window_size\":40,\"params\":{\"mobile\":1,\"nowhere\":\"x\"},\"log\":true,"
            + FROM_TEXT);
    for (int i = 0; i < 20; i++) {
      String text = TestCatalogue.words(random, 2);
      String type = randomFrom("query_then_fetch", "dfs_query_then_fetch");
      String plain =
          "\"from\":%s,\"size\":%s,\"query\":%s"
              .formatted(random.nextInt(50), 1 + random.nextInt(30), query(text));
      String path = "/shop/_search?search_type=" + type;
      Map<String, Object> expected =
          call(
              "POST",
              path,
              "{%s,\"rescore\":{\"window_size\":40,\"quickscorer\":{\"model\":\"m\",\"log\":true,\"params\":{\"mobile\":1,\"nowhere\":\"x\",\"q\":\"%s\"}}}}"
                  .formatted(plain, text));
      setDefault("shop", null);
      Map<String, Object> named = call("POST", path + "&search_pipeline=ranked", "{" + plain + "}");
      setDefault("shop", "ranked");
      Map<String, Object> byDefault = call("POST", path, "{" + plain + "}");
      Map<String, Object> template =
          call(
              "POST",
              "/shop/_search/template?search_type=" + type,
              "{\"source\":{"
                  + plain.replace(text, "{{t}}")
                  + "},\"params\":{\"t\":\""
                  + text
                  + "\"}}");
      for (Map<String, Object> answer :
          List.of(named, byDefault, template, multiSearch(type, "{" + plain + "}"))) {
        assertEquals(hitsOf(expected), hitsOf(answer));
        assertEquals(ext(expected).get("models"), ext(answer).get("models"));
        assertEquals(ext(expected).get("feature_names"), ext(answer).get("feature_names"));
      }
    }
  }

  private static Map<String, Object> multiSearch(String type, String body) throws IOException {
    Request request = new Request("POST", "/_msearch");
    request.setJsonEntity("{\"index\":\"shop\",\"search_type\":\"" + type + "\"}\n" + body + "\n");
    try (var content = getRestClient().performRequest(request).getEntity().getContent()) {
      Map<String, Object> answer =
          XContentHelper.convertToMap(JsonXContent.jsonXContent, content, true);
      return only((List<?>) answer.get("responses"));
    }
  }

  public void testParamsComeFromTheSearchItsExtAndThePipeline() throws Exception {
    createCatalogue("shop", 2, 100);
    putModel("m", 20);
    putPipeline(
        "paths",
        "\"model\":\"m\",\"log\":true,\"params\":{\"mobile\":0.25,\"nowhere\":\"x\"},\"params_from\":{"
            + "\"q\":{\"path\":\"query.bool.*.*.match.title.query\"},"
            + "\"mobile\":{\"path\":\"query.bool.filter.0.range.popularity.from\"}}");
    String path = "/shop/_search?search_pipeline=paths";
    String title = "\"must\":[{\"match_all\":{}},{\"match\":{\"title\":\"war\"}}]";
    assertLogged(path, "{\"query\":{\"bool\":{" + title + "}}}", "war", 0.25);
    String filter = ",\"filter\":[{\"range\":{\"popularity\":{\"gte\":-3}}}]";
    assertLogged(path, "{\"query\":{\"bool\":{" + title + filter + "}}}", "war", -3);
    assertLogged(
        path,
        "{\"query\":{\"bool\":{"
            + title
            + filter
            + "}},\"ext\":{\"quickscorer\":{\"params\":{\"mobile\":2,\"q\":\"sea\"}}}}",
        "sea",
        2);
  }

  public void testNumbersOfQueriesAreTextsOfParams() throws Exception {
    createCatalogue("shop", 2, 100);
    putModel("m", 20);
    putPipeline(
        "texts",
        "\"model\":\"m\",\"log\":true,\"params\":{\"mobile\":1,\"nowhere\":\"x\"},"
            + "\"params_from\":{\"q\":{\"query_text\":\"match\"}}");
    String path = "/shop/_search?search_pipeline=texts";
    String body =
        "{\"query\":{\"bool\":{\"should\":[{\"match_all\":{}},{\"match\":{\"title\":%s}}]}}}";
    assertLogged(path, body.formatted("1999"), "1999", 1);
    assertLogged(path, body.formatted("true"), "true", 1);
  }

  /** The hits are those of the clause with these params. */
  private void assertLogged(String path, String body, String q, double mobile) throws IOException {
    Map<String, Object> answer = call("POST", path, body);
    String clause =
        ",\"rescore\":{\"window_size\":100,\"quickscorer\":{\"model\":\"m\",\"log\":true,\"params\":{\"nowhere\":\"x\",\"q\":\"%s\",\"mobile\":%s}}}}"
            .formatted(q, mobile);
    String explicit = body.substring(0, body.length() - 1) + clause;
    assertEquals(hitsOf(call("POST", "/shop/_search", explicit)), hitsOf(answer));
  }

  public void testOthersAreLeftAlone() throws Exception {
    createCatalogue("shop", 2, 100);
    putModel("m", 20);
    putPipeline("counted", "\"model\":\"m\",\"index\":\"sh*\"," + FROM_TEXT);
    putPipeline("elsewhere", "\"model\":\"m\",\"index\":[\"books\"]," + FROM_TEXT);
    String match = "\"query\":{\"match\":{\"body\":\"war\"}}";
    assertRanked("counted", "{" + match + "}", true);
    assertRanked("counted", "{" + match + ",\"sort\":[\"_score\"]}", true);
    assertRanked("elsewhere", "{" + match + "}", false);
    for (String plain :
        List.of(
            match + ",\"sort\":[\"popularity\",\"_doc\"]",
            match + ",\"size\":0",
            match + ",\"collapse\":{\"field\":\"tag\"}",
            "\"query\":{\"term\":{\"tag\":\"war\"}}",
            "\"size\":5")) {
      assertRanked("counted", "{" + plain + "}", false);
    }
    long ranked = 0;
    long left = 0;
    for (TestRescorePlugin plugin : plugins()) {
      String stats = Strings.toString(XContentType.JSON, plugin.stats.counts());
      Map<String, Object> rescore =
          XContentHelper.convertToMap(JsonXContent.jsonXContent, stats, true);
      Map<?, ?> pipelines = (Map<?, ?>) castMap(rescore.get("rescore")).get("pipelines");
      if (pipelines.get("counted") instanceof Map<?, ?> counts) {
        ranked += ((Number) counts.get("ranked")).longValue();
        for (Object count : ((Map<?, ?>) counts.get("left_alone")).values()) {
          left += ((Number) count).longValue();
        }
      }
    }
    assertEquals(2, ranked);
    assertEquals(5, left);
  }

  private static void assertRanked(String pipeline, String body, boolean ranked)
      throws IOException {
    Map<String, Object> answer = call("POST", "/shop/_search?search_pipeline=" + pipeline, body);
    assertEquals(body, !ranked, ext(answer).containsKey("left_alone"));
    if (!ranked) {
      assertEquals(hitsOf(call("POST", "/shop/_search", body)), hitsOf(answer));
    }
  }

  public void testAPointInTimeIsOfTheIndicesThatItWasOpenedFor() throws Exception {
    createCatalogue("shop", 2, 100);
    createCatalogue("bare", 1, 10);
    putModel("m", 20);
    putPipeline("shop", "\"model\":\"m\",\"index\":\"sh*\"," + FROM_TEXT);
    assertEquals(List.of(true, false, false), rankedPointsInTime("shop", "bare", "shop,bare"));
  }

  private static List<Boolean> rankedPointsInTime(String... indices) throws IOException {
    List<Boolean> ranked = new ArrayList<>();
    for (String index : indices) {
      Map<String, Object> opened =
          call("POST", "/" + index + "/_search/point_in_time?keep_alive=1m", null);
      String pit = "{\"pit_id\":[\"" + opened.get("pit_id") + "\"]}";
      try {
        String body =
            "{\"pit\":{\"id\":\"%s\"},\"query\":{\"match\":{\"body\":\"war\"}}}"
                .formatted(opened.get("pit_id"));
        Map<String, Object> answer = call("POST", "/_search?search_pipeline=shop", body);
        ranked.add(!"index".equals(ext(answer).get("left_alone")));
      } finally {
        call("DELETE", "/_search/point_in_time", pit);
      }
    }
    return ranked;
  }

  public void testPagesOfOneSearchAreAllOfTheShareOrNone() throws Exception {
    createCatalogue("shop", 2, 100);
    putModel("m", 20);
    putPipeline("some", "\"model\":\"m\",\"share\":0.5," + FROM_TEXT);
    int ranked = 0;
    for (int i = 0; i < 40; i++) {
      String body =
          "{\"from\":%s,\"query\":{\"match\":{\"body\":{\"query\":\"war\",\"boost\":%s}}}}";
      boolean first = isRanked(body.formatted(0, i + 1), "");
      assertEquals(first, isRanked(body.formatted(10, i + 1), ""));
      assertEquals(
          isRanked(body.formatted(0, 1), "p" + i), isRanked(body.formatted(0, 2), "p" + i));
      ranked += first ? 1 : 0;
    }
    assertTrue(Integer.toString(ranked), ranked > 5 && ranked < 35);
  }

  private static boolean isRanked(String body, String preference) throws IOException {
    String path = "/shop/_search?search_pipeline=some";
    Map<String, Object> answer =
        call("POST", path + (preference.isEmpty() ? "" : "&preference=" + preference), body);
    return !"share".equals(ext(answer).get("left_alone"));
  }

  public void testAnIgnoredFailureIsTheFirstPass() throws Exception {
    createCatalogue("shop", 2, 100);
    call(
        "PUT",
        "/bare",
        "{\"settings\":{\"number_of_shards\":1},\"mappings\":{\"properties\":{\"body\":{\"type\":\"text\"}}}}");
    call("PUT", "/bare/_doc/1?refresh=true", "{\"body\":\"war\"}");
    putModel("m", 20);
    putModel("gone", 20);
    for (String model : List.of("m", "gone")) {
      putPipeline(model, "\"model\":\"" + model + "\"," + FROM_TEXT);
      putPipeline(
          model + "_safe", "\"ignore_failure\":true,\"model\":\"" + model + "\"," + FROM_TEXT);
    }
    InMemoryModels.MODELS.remove("gone");
    String body = "{\"query\":{\"match\":{\"body\":\"war\"}}}";
    assertEquals(404, (int) failure("/shop/_search?search_pipeline=gone", body).getKey());
    setDefault("shop", "gone_safe");
    Map<String, Object> safe = call("POST", "/shop/_search", body);
    assertEquals(hitsOf(call("POST", "/shop/_search?search_pipeline=_none", body)), hitsOf(safe));
    assertEquals(true, ext(safe).get("fallback"));
    assertEquals("model [gone] not found", ext(safe).get("ignored_failure"));
    // Of one of the indices, features are missing: its shard fails, and so nothing is ranked.
    Map<String, Object> partly = call("POST", "/shop,bare/_search?search_pipeline=m", body);
    assertEquals(1, ((Map<?, ?>) partly.get("_shards")).get("failed"));
    Map<String, Object> whole = call("POST", "/shop,bare/_search?search_pipeline=m_safe", body);
    assertEquals(
        hitsOf(call("POST", "/shop,bare/_search?search_pipeline=_none", body)), hitsOf(whole));
    assertTrue(
        ext(whole).toString(), ext(whole).get("ignored_failure").toString().contains("feature ["));
    assertEquals(
        ext(call("POST", "/shop/_search?search_pipeline=m_safe", body)).get("models"),
        ext(call("POST", "/shop/_search?search_pipeline=m", body)).get("models"));
  }
}
