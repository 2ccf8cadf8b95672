// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;

import io.quickscorer.plugin.OpenApiDescription;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.opensearch.client.Request;
import org.opensearch.client.RequestOptions;
import org.opensearch.tasks.Task;
import org.opensearch.test.MockLogAppender;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Counters, metrics, tables and lists of what is there and what it did. */
@ClusterScope(numDataNodes = 1, numClientNodes = 0, supportsDedicatedMasters = false)
public class MonitoringRestTests extends QuickScorerHttpTestCase {
  private static final String SLOW_LOG = "quickscorer.rescore.slowlog";
  private static final int DOCUMENTS = 20;

  /** A sample line: name, labels or none, value. */
  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-z_]+)(\\{[a-z]+=\"[^\"]*\"(?:,[a-z]+=\"[^\"]*\")*})?"
              + " (-?\\d+(?:\\.\\d+)?(?:E-?\\d+)?)");

  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");

  /** Prometheus has seconds and bytes. */
  private static final Pattern OTHER_UNITS =
      Pattern.compile(
          "_(?:nanos|micros|millis|ns|us|ms|minutes|hours|bits|kb|mb|gb|percent)(?:_|$)");

  /** Each test has models of its own: counters outlive a deletion for a while. */
  private void begin(String... models) throws Exception {
    MarkedModels.createIndex(
        (method, path, body) -> assertEquals(200, send(method, path, body).status()),
        "d",
        1,
        DOCUMENTS);
    send("PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET);
    for (String model : models) {
      assertStatus(
          201, send("PUT", BASE + "models/" + model + "?feature_set=f", MarkedModels.file(7)));
    }
  }

  private void end(String... models) throws Exception {
    for (String model : models) {
      assertStatus(200, send("DELETE", BASE + "models/" + model));
    }
    assertStatus(200, send("DELETE", "/d"));
  }

  private Answer search(String model) throws Exception {
    return send("POST", "/d/_search", MarkedModels.search(model, 10));
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> counters(String model) throws Exception {
    Answer stats = send("GET", BASE + "stats");
    Map<String, Object> node =
        ((Map<String, Map<String, Object>>) stats.at("nodes")).values().iterator().next();
    return ((List<Map<String, Object>>) node.get("models"))
        .stream()
            .filter(entry -> model.equals(entry.get("name")))
            .map(entry -> (Map<String, Object>) entry.get("rescore"))
            .findFirst()
            .orElseThrow();
  }

  public void testCountersOfAModel() throws Exception {
    begin("ca", "cb");
    for (int i = 0; i < 3; i++) {
      assertStatus(200, search("ca"));
    }
    Map<String, Object> counters = counters("ca");
    assertEquals(3, counters.get("searches"));
    assertEquals(3, counters.get("windows"));
    assertEquals(3 * DOCUMENTS, counters.get("documents"));
    Map<?, ?> score = (Map<?, ?>) ((Map<?, ?>) counters.get("histograms")).get("score");
    for (String share : List.of("p50", "p95", "p99")) {
      assertTrue(score.toString(), score.containsKey(share + "_below_nanos"));
    }
    assertEquals(0, counters("cb").get("searches"));
    end("ca", "cb");
  }

  public void testAnIndexWithoutTheFieldOfAFeatureIsAFailure() throws Exception {
    begin("cf");
    assertStatus(200, send("PUT", "/other", "{\"settings\":{\"number_of_shards\":1}}"));
    Answer partial = send("POST", "/d,other/_search", MarkedModels.search("cf", 10));
    assertStatus(200, partial);
    assertThat(partial.body(), containsString("the index has no field [p]"));
    assertEquals(1, counters("cf").get("failures"));
    assertStatus(200, send("DELETE", "/other"));
    end("cf");
  }

  public void testPrometheus() throws Exception {
    begin("m");
    assertStatus(200, search("m"));
    String text = send("GET", BASE + "_prometheus").body();
    long buckets = -1;
    for (String line : text.split("\n")) {
      if (line.startsWith("#")) {
        Matcher type = TYPE.matcher(line);
        if (type.matches()) {
          assertEquals(line, type.group(2).equals("counter"), type.group(1).endsWith("_total"));
          assertFalse(line, OTHER_UNITS.matcher(type.group(1)).find());
        }
        continue;
      }
      Matcher sample = SAMPLE.matcher(line);
      assertTrue(line, sample.matches());
      if (sample.group(1).equals("quickscorer_model_score_seconds_bucket")
          && line.contains("model=\"m\"")) {
        assertTrue(line, Long.parseLong(sample.group(3)) >= buckets);
        buckets = Long.parseLong(sample.group(3));
      }
    }
    assertEquals(1, buckets);
    for (String line :
        List.of(
            "# TYPE quickscorer_model_score_seconds histogram",
            "# TYPE quickscorer_model_searches_total counter",
            "le=\"+Inf\",model=\"m\"",
            "le=\"0.000001\",model=\"m\"",
            "\nquickscorer_ready 1\n",
            "\nquickscorer_jvm_known_defects ",
            "\nquickscorer_verify_mismatches_total 0\n",
            "\nquickscorer_model_quarantined_engines{model=\"m\"",
            "\nquickscorer_model_verified_mismatches_total{model=\"m\"",
            "state=\"loaded\"")) {
      assertThat(text, containsString(line));
    }
    assertTrue(
        Pattern.compile("quickscorer_model_documents_total\\{model=\"m\",version=\"\\w+\"} 20\n")
            .matcher(text)
            .find());
    end("m");
  }

  public void testIgnoredFailuresOfAPipelineAreAMetric() throws Exception {
    begin("ignored");
    String pipeline = "/_search/pipeline/late";
    String processor =
        "{\"model\":\"ignored\",\"budget_ms\":0,\"on_budget\":\"error\",\"ignore_failure\":true}";
    assertStatus(
        200,
        send("PUT", pipeline, "{\"request_processors\":[{\"quickscorer\":" + processor + "}]}"));
    assertStatus(200, send("POST", "/d/_search?search_pipeline=late", "{}"));
    String text = send("GET", BASE + "_prometheus").body();
    String counted = "\nquickscorer_pipeline_ignored_failures_total{pipeline=\"late\"} 1\n";
    assertThat(text, containsString(counted));
    assertStatus(200, send("DELETE", pipeline));
    end("ignored");
  }

  public void testTables() throws Exception {
    begin("ta", "tb");
    assertStatus(201, send("PUT", BASE + "aliases/live", "{\"model\":\"ta\"}"));
    assertStatus(200, search("live"));
    String cat = BASE + "_cat/";
    List<String> rows =
        lines(send("GET", cat + "models?v&h=model,aliases,loaded,searches,documents&s=model:desc"));
    assertEquals("model aliases loaded searches documents", rows.get(0));
    assertEquals("tb 1 0 0", rows.get(1));
    assertEquals("ta live 1 1 20", rows.get(2));
    assertEquals(3, rows.size());
    Answer unsorted = send("GET", cat + "models?s=shoe");
    assertStatus(400, unsorted);
    assertThat(unsorted.body(), containsString("sort key `shoe`"));
    assertEquals(List.of("tb"), lines(send("GET", cat + "models/tb?h=model")));
    assertEquals(List.of(), lines(send("GET", cat + "models/none?h=model")));
    assertEquals(List.of("ta", "tb"), lines(send("GET", cat + "models/_all?h=model")));
    assertThat(send("GET", cat + "models?help").body(), containsString("aliases that point to it"));
    assertThat(
        send("GET", cat + "models?format=json").body(), containsString("\"feature_set\":\"f\""));
    assertEquals(List.of("live ta"), lines(send("GET", cat + "aliases?h=alias,model")));
    assertStatus(200, send("PUT", BASE + "aliases/live", "{\"models\":{\"ta\":1,\"tb\":3}}"));
    assertEquals(List.of("live tb ta ta:1,tb:3"), lines(send("GET", cat + "aliases")));
    assertEquals(
        List.of("ta live", "tb live"), lines(send("GET", cat + "models?h=model,aliases&s=model")));
    assertEquals(
        List.of("f 1 p"), lines(send("GET", cat + "feature_sets?h=feature_set,features,names")));
    assertStatus(200, send("DELETE", BASE + "aliases/live"));
    end("ta", "tb");
  }

  private static List<String> lines(Answer answer) {
    assertStatus(200, answer);
    return Arrays.stream(answer.body().split("\n"))
        .map(line -> line.strip().replaceAll(" +", " "))
        .filter(line -> !line.isEmpty())
        .toList();
  }

  private List<?> names(String parameters) throws Exception {
    Answer listed = send("GET", BASE + "models" + parameters);
    assertStatus(200, listed);
    return ((List<?>) listed.at("models"))
        .stream().map(model -> ((Map<?, ?>) model).get("name")).toList();
  }

  public void testLists() throws Exception {
    begin("a1", "a2", "b1", "b2");
    assertEquals(List.of("a1", "a2", "b1", "b2"), names("").stream().limit(4).toList());
    assertEquals(List.of("a2", "b1"), names("?from=1&size=2"));
    assertEquals(4, send("GET", BASE + "models?size=0").at("total"));
    assertEquals(List.of("b1", "b2"), names("?prefix=b"));
    assertEquals(List.of("b2"), names("?prefix=b&from=1"));
    assertEquals(List.of("a1", "b1"), names("/*1"));
    assertEquals(List.of("a2", "b1"), names("/a2,b1,none"));
    assertEquals(List.of(), names("/x*"));
    assertStatus(400, send("GET", BASE + "models?from=-1"));
    assertStatus(404, send("GET", BASE + "models/none"));
    assertEquals(1, send("GET", BASE + "feature_sets/f*").at("total"));
    assertEquals(0, send("GET", BASE + "aliases?prefix=x").at("total"));
    end("a1", "a2", "b1", "b2");
  }

  public void testTheRootListsAllEndpoints() throws Exception {
    Answer root = send("GET", "/_plugins/_quickscorer");
    assertStatus(200, root);
    Map<?, ?> endpoints = (Map<?, ?>) root.at("endpoints");
    assertEquals(List.of("GET"), endpoints.get("/_plugins/_quickscorer"));
    assertEquals(List.of("DELETE", "GET", "HEAD", "PUT"), endpoints.get(BASE + "models/{name}"));
    assertEquals(
        OpenApiDescription.child(OpenApiDescription.read(), "paths").keySet(), endpoints.keySet());
    assertStatus(400, send("GET", "/_plugins/_quickscorer?unknown=1"));
    assertThat(
        send("GET", "/_plugins/_quickscorer?pretty").body(), containsString("{\n  \"endpoints"));
  }

  public void testSlowWindowsAreLogged() throws Exception {
    begin("slow");
    Level level = Level.INFO;
    settings("\"0ms\"");
    try (MockLogAppender log = MockLogAppender.createForLoggers(LogManager.getLogger(SLOW_LOG))) {
      log.addExpectation(
          new MockLogAppender.PatternSeenEventExpectation(
              "slow",
              SLOW_LOG,
              level,
              ".*\\[d]\\[0] took\\[.*], took_nanos\\[\\d+], extract_nanos\\[\\d+],"
                  + " score_nanos\\[\\d+], sort_nanos\\[\\d+], window\\[20], models\\[slow@.*],"
                  + " id\\[shop-7],"
                  + " source\\[\\{\"from\":0,\"size\":10,\"query\":.*\"model\":\"slow.*}]"));
      Request search = new Request("POST", "/d/_search");
      search.setJsonEntity(MarkedModels.search("slow", 10));
      search.setOptions(RequestOptions.DEFAULT.toBuilder().addHeader(Task.X_OPAQUE_ID, "shop-7"));
      getRestClient().performRequest(search);
      log.assertAllExpectationsMatched();
      log.addExpectation(
          new MockLogAppender.PatternSeenEventExpectation(
              "spent",
              SLOW_LOG,
              level,
              ".*\\[d]\\[0] took\\[.*], took_nanos\\[\\d+], over_budget\\[true], window\\[20],"
                  + " .*"));
      String spent = MarkedModels.search("\"model\":\"slow\",\"budget_ms\":0", 0, 10, 100);
      assertStatus(200, send("POST", "/d/_search", spent));
      log.assertAllExpectationsMatched();
      settings("null");
      log.addExpectation(
          new MockLogAppender.UnseenEventExpectation("none", SLOW_LOG, level, "*took*"));
      assertStatus(200, search("slow"));
      log.assertAllExpectationsMatched();
    } finally {
      settings("null");
    }
    assertThat(
        send("GET", "/_cluster/settings").body(), not(containsString("quickscorer.slowlog")));
    end("slow");
  }

  private void settings(String threshold) throws Exception {
    assertStatus(
        200,
        send(
            "PUT",
            "/_cluster/settings",
            "{\"transient\":{\"quickscorer.slowlog.threshold.info\":" + threshold + "}}"));
  }
}
