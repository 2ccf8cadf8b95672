// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.After;
import org.junit.Before;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Shares of searches, and what tells their models from each other, on three nodes. */
@ClusterScope(numDataNodes = 3, supportsDedicatedMasters = false)
public class ComparisonRestTests extends QuickScorerHttpTestCase {
  private static final String ALIAS = BASE + "aliases/live";
  private static final int DOCUMENTS = 40;

  @Before
  public void putModels() throws Exception {
    MarkedModels.createIndex(this::ok, "docs", 3, DOCUMENTS);
    ok("PUT", BASE + "feature_sets/marked", MarkedModels.FEATURE_SET);
    for (int mark = 1; mark <= 2; mark++) {
      ok("PUT", BASE + "models/m" + mark + "?feature_set=marked", MarkedModels.file(mark));
    }
    ok("PUT", BASE + "models/down?feature_set=marked", MarkedModels.descending(5));
  }

  @After
  public void deleteAll() throws Exception {
    send("DELETE", ALIAS);
    for (Object model : (List<?>) send("GET", BASE + "models").at("models")) {
      ok("DELETE", BASE + "models/" + ((Map<?, ?>) model).get("name"), "");
    }
  }

  private void ok(String method, String path, String body) throws Exception {
    Answer answer = send(method, path, body);
    assertTrue(answer.body(), answer.status() < 300);
  }

  /** The models, by the one name, that scored the hits; by their scores and by the answer. */
  private String searched(String clause, String preference) throws Exception {
    return searched("live", clause, preference);
  }

  private String searched(String alias, String clause, String preference) throws Exception {
    Answer answer =
        send(
            "POST",
            "/docs/_search" + (preference == null ? "" : "?preference=" + preference),
            MarkedModels.search(clause, 0, DOCUMENTS, DOCUMENTS));
    assertStatus(200, answer);
    Set<Integer> marks = new HashSet<>();
    for (Object hit : (List<?>) answer.at("hits", "hits")) {
      marks.add(((Number) ((Map<?, ?>) hit).get("_score")).intValue());
    }
    Map<?, ?> ext = (Map<?, ?>) ((List<?>) answer.at("ext", "quickscorer")).getFirst();
    Map<?, ?> model = (Map<?, ?>) ((List<?>) ext.get("models")).getFirst();
    assertEquals("one version on all shards", 1, marks.size());
    assertEquals("m" + marks.iterator().next(), model.get("model"));
    assertEquals(alias, model.get("name"));
    return (String) model.get("model");
  }

  public void testSearchesAreSharedOutAndStayWhereTheyAre() throws Exception {
    Answer put = send("PUT", ALIAS, "{\"models\":{\"m1\":70,\"m2\":30}}");
    assertStatus(201, put);
    assertEquals(Map.of("m1", 70, "m2", 30), put.at("models"));
    assertEquals("m1", put.at("model"));
    assertEquals("m1", send("GET", BASE + "models/live").at("name"));
    Map<String, Integer> drawn = new HashMap<>();
    for (int user = 0; user < 40; user++) {
      String clause = "\"model\":\"live\",\"share_key\":\"user " + user + "\"";
      String model = searched(clause, null);
      assertEquals(model, searched(clause, "elsewhere" + user));
      drawn.merge(model, 2, Integer::sum);
    }
    // One model for all 40 keys: probability 0.7^40.
    assertEquals(drawn.toString(), Set.of("m1", "m2"), drawn.keySet());
    assertEquals(drawn, send("GET", BASE + "comparisons").at("aliases", "live"));
    String model = searched("\"model\":\"live\"", "session7");
    assertEquals("preference is a key too", model, searched("\"model\":\"live\"", "session7"));
    Answer two =
        send(
            "POST",
            "/docs/_search",
            "{\"query\":{\"match_all\":{}},\"rescore\":["
                + "{\"quickscorer\":{\"model\":\"live\",\"share_key\":\"a\"}},"
                + "{\"quickscorer\":{\"model\":\"live\",\"share_key\":\"b\"}}]}");
    assertStatus(400, two);
    assertThat(two.body(), containsString("share_key"));
    Answer used = send("DELETE", BASE + "models/m2");
    assertStatus(409, used);
    assertStatus(200, send("PUT", ALIAS, "{\"model\":\"m2\"}"));
    Answer back = send("POST", ALIAS + "/_rollback");
    assertStatus(200, back);
    assertEquals(Map.of("m1", 70, "m2", 30), back.at("models"));
    assertEquals("m2", back.at("previous"));
    assertStatus(404, send("PUT", ALIAS, "{\"models\":{\"m1\":1,\"nobody\":1}}"));
    assertEquals(Map.of("m1", 70, "m2", 30), send("GET", ALIAS).at("models"));
  }

  public void testPipelinesTakeTheKeyOfTheSearch() throws Exception {
    ok("PUT", BASE + "aliases/piped", "{\"models\":{\"m1\":1,\"m2\":1}}");
    ok(
        "PUT",
        "/_search/pipeline/shared",
        "{\"request_processors\":[{\"quickscorer\":{\"model\":\"piped\"}}]}");
    assertStatus(
        400,
        send(
            "PUT",
            "/_search/pipeline/wrong",
            "{\"request_processors\":[{\"quickscorer\":{\"model\":\"piped\",\"share_key\":\"x\"}}]}"));
    for (int user = 0; user < 8; user++) {
      Answer answer =
          send(
              "POST",
              "/docs/_search?search_pipeline=shared",
              "{\"query\":{\"match_all\":{}},\"ext\":{\"quickscorer\":{\"share_key\":\"u"
                  + user
                  + "\"}}}");
      assertStatus(200, answer);
      Map<?, ?> ext = (Map<?, ?>) ((List<?>) answer.at("ext", "quickscorer")).getFirst();
      Map<?, ?> model = (Map<?, ?>) ((List<?>) ext.get("models")).getFirst();
      assertEquals(
          searched("piped", "\"model\":\"piped\",\"share_key\":\"u" + user + "\"", null),
          model.get("model"));
    }
    ok("DELETE", "/_search/pipeline/shared", "");
    ok("DELETE", BASE + "aliases/piped", "");
  }

  /** What was counted for a value of a field, in no experiment if the report has others too. */
  private static Map<?, ?> entry(Answer report, String kind, String field, Object value) {
    Map<?, ?> found = null;
    for (Object one : (List<?>) report.at("agreement")) {
      Map<?, ?> entry = (Map<?, ?>) one;
      if (value.equals(entry.get(field)) && (found == null || !entry.containsKey("experiment"))) {
        found = entry;
      }
    }
    assertNotNull("no " + value + " in " + report.body(), found);
    return found;
  }

  private static Map<?, ?> agreement(Answer report, String ranking, String other) {
    for (Object one : (List<?>) report.at("agreement")) {
      Map<?, ?> pair = (Map<?, ?>) one;
      if (!pair.containsKey("experiment")
          && ranking.equals(pair.get("model"))
          && other.equals(pair.get("other"))) {
        return pair;
      }
    }
    throw new AssertionError(ranking + " and " + other + " in " + report.body());
  }

  public void testShadowsAgreeOrNot() throws Exception {
    String scope = randomFrom("shard", "global");
    for (String shadow : List.of("m1", "down")) {
      String clause =
          "\"model\":\"m2\",\"shadow_models\":[\"" + shadow + "\"],\"scope\":\"" + scope + "\"";
      assertStatus(
          200, send("POST", "/docs/_search", MarkedModels.search(clause, 0, 5, DOCUMENTS)));
    }
    Answer report = send("GET", BASE + "comparisons");
    assertStatus(200, report);
    Map<?, ?> same = agreement(report, "m2", "m1");
    assertEquals(1.0, same.get("rank_correlation"));
    assertEquals(1.0, same.get("same_first"));
    Map<?, ?> down = agreement(report, "m2", "down");
    assertEquals(same.get("windows"), down.get("windows"));
    assertTrue(down.toString(), (double) down.get("rank_correlation") < 0.9);
  }

  public void testExperimentsAreCountedApartAndReset() throws Exception {
    String models = "\"models\":[\"m1\",\"down\"],\"interleave\":{\"seed\":3}";
    for (String name : List.of("autumn", "winter")) {
      String experiment = ",\"experiment\":\"" + name + "\"";
      Answer answer =
          send("POST", "/docs/_search", MarkedModels.search(models + experiment, 0, 5, DOCUMENTS));
      assertStatus(200, answer);
      assertThat(answer.body(), containsString("\"experiment\":\"" + name + "\""));
    }
    assertEquals(Set.of("autumn"), Set.copyOf(experiments("comparisons/autumn")));
    assertStatus(400, send("DELETE", BASE + "comparisons/_autumn"));
    assertStatus(200, send("DELETE", BASE + "comparisons/autumn"));
    assertEquals(List.of(), experiments("comparisons/autumn"));
    assertTrue(experiments("comparisons").contains("winter"));
    assertStatus(200, send("DELETE", BASE + "comparisons/winter"));
  }

  private List<String> experiments(String path) throws Exception {
    List<String> names = new ArrayList<>();
    for (Object one : (List<?>) send("GET", BASE + path).at("agreement")) {
      Object name = ((Map<?, ?>) one).get("experiment");
      names.add(name == null ? "none" : (String) name);
    }
    return names;
  }

  public void testAPipelineInterleavesAsAClauseDoes() throws Exception {
    String models = "\"experiment\":\"draft\",\"models\":[\"m2\",\"down\"],";
    ok(
        "PUT",
        "/_search/pipeline/draft",
        "{\"request_processors\":[{\"quickscorer\":{\"ignore_failure\":true,\"window_size\":"
            + DOCUMENTS
            + ","
            + models
            + "\"interleave\":{\"seed\":3}}}]}");
    Set<Object> seeds = new HashSet<>();
    for (int from : List.of(0, 5, 0, 5)) {
      String user = "?preference=user" + seeds.size();
      Answer piped =
          send(
              "POST",
              "/docs/_search" + user + "&search_pipeline=draft",
              "{\"query\":{\"match_all\":{}},\"from\":" + from + ",\"size\":5}");
      assertStatus(200, piped);
      Map<?, ?> ext = (Map<?, ?>) ((List<?>) piped.at("ext", "quickscorer")).getFirst();
      Object seed = ((Map<?, ?>) ext.get("interleave")).get("seed");
      String clause = models + "\"interleave\":{\"seed\":" + seed + "}";
      Answer own =
          send("POST", "/docs/_search" + user, MarkedModels.search(clause, from, 5, DOCUMENTS));
      assertEquals(own.at("hits", "hits"), piped.at("hits", "hits"));
      assertEquals(5, ((List<?>) piped.at("hits", "hits")).size());
      assertTrue(piped.body(), piped.body().contains("\"team\""));
      if (from == 5) {
        seeds.add(seed);
      }
    }
    assertEquals("each user has a draft of their own", 2, seeds.size());
    assertStatus(200, send("DELETE", BASE + "models/down"));
    Answer without = send("POST", "/docs/_search?search_pipeline=draft", "{}");
    assertStatus(200, without);
    assertThat(without.body(), containsString("\"ignored_failure\":\"no model [down]\""));
    ok("DELETE", "/_search/pipeline/draft", "");
  }
}
