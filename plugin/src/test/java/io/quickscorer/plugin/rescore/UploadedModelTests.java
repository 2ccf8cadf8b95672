// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.fixtures.Fixture;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import io.quickscorer.plugin.testing.TestModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Models as their trainers wrote them rank documents as their trainers score them. */
@ClusterScope(numDataNodes = 2, supportsDedicatedMasters = false)
public class UploadedModelTests extends QuickScorerHttpTestCase {
  private static final int ROWS = 100;

  public void testDocumentsScoreAsTheirTrainerSays() throws Exception {
    for (TestModel model :
        List.of(TestModel.LIGHTGBM, TestModel.LIGHTGBM_BINARY, TestModel.XGBOOST)) {
      String name = model.fixture().name();
      List<String> features = model.ensemble().featureNames();
      indexRows(name, model);
      assertStatus(201, send("PUT", BASE + "feature_sets/" + name, fieldFeatures(features)));
      assertStatus(
          201, send("PUT", BASE + "models/" + name + "?feature_set=" + name, model.text()));
      for (String output : List.of("raw", "transformed")) {
        Answer found =
            send("POST", "/" + name + "/_search", body(name, ",\"output\":\"" + output + "\""));
        assertStatus(200, found);
        double[] expected =
            output.equals("raw")
                ? model.fixture().cases().raw()
                : model.fixture().cases().transformed();
        Map<String, Float> scores = scores(found);
        assertTrue(scores.size() > ROWS / 2);
        scores.forEach(
            (id, score) -> assertEquals((float) expected[Integer.parseInt(id)], score, 0));
      }
      assertExplained(
          send(
              "POST",
              "/" + name + "/_search",
              body(name, "").replaceFirst("\\{", "{\"explain\":true,")));
      assertStatus(200, send("DELETE", BASE + "models/" + name));
      assertStatus(404, send("POST", "/" + name + "/_search", body(name, "")));
    }
    Answer stats = send("GET", BASE + "stats");
    assertStatus(200, stats);
    assertTrue(stats.body(), stats.body().contains("\"rescore\""));
  }

  /** With global statistics, a shard that lacks a term has the counts of the other shards. */
  public void testCountsOfTermsThatAShardLacks() throws Exception {
    String df =
        "{\"name\":\"%2$s\",\"type\":\"term_statistics\",\"field\":\"%1$s\",\"text\":\"%2$s\",\"statistic\":\"df\",\"aggregate\":\"max\"}";
    String set =
        "{\"features\":["
            + String.join(
                ",",
                df.formatted("title", "rare"),
                df.formatted("title", "absent"),
                // A query for a keyword has no scores, so it does not count its term.
                df.formatted("title.keyword", "war rare"))
            + "]}";
    assertStatus(201, send("PUT", BASE + "feature_sets/terms", set));
    assertStatus(200, send("PUT", "/two", "{\"settings\":{\"number_of_shards\":2}}"));
    for (int i = 0; i < 20; i++) {
      String path = "/two/_doc/" + i + "?refresh=true&routing=" + (i < 3 ? 0 : i);
      String title = i < 3 ? "war rare" : "war";
      assertStatus(201, send("PUT", path, "{\"title\":\"" + title + "\"}"));
    }
    assertEquals(
        Set.of(List.of(0.0, 0.0, 0.0), List.of(3.0, 0.0, 3.0)), counts("query_then_fetch"));
    assertEquals(Set.of(List.of(3.0, 0.0, 3.0)), counts("dfs_query_then_fetch"));
  }

  /** The time is checked also if nothing is read from the index. */
  public void testABudgetOfZeroIsAlwaysSpent() throws Exception {
    String set = "{\"features\":[{\"name\":\"first\",\"type\":\"first_pass_score\"}]}";
    assertStatus(201, send("PUT", BASE + "feature_sets/first", set));
    assertStatus(201, send("PUT", BASE + "models/linear?feature_set=first", "{\"first\":-1}"));
    assertStatus(201, send("PUT", "/some/_doc/1?refresh=true", "{\"title\":\"war\"}"));
    for (String scope : List.of("shard", "global")) {
      String clause = ",\"budget_ms\":0,\"scope\":\"" + scope + "\"";
      Answer found = send("POST", "/some/_search", body("linear", clause));
      assertStatus(200, found);
      assertTrue(found.body(), found.body().contains("\"fallback\":true"));
      assertEquals(1.0, found.at("hits", "max_score"));
    }
    assertStatus(200, send("DELETE", BASE + "models/linear"));
  }

  /** Returns the different rows of logged values of a search. */
  private Set<List<Double>> counts(String type) throws Exception {
    Answer found =
        send(
            "POST",
            "/two/_search?search_type=" + type,
            "{\"size\":20,\"query\":{\"match\":{\"title\":\"war\"}},\"rescore\":{\"window_size\":20,"
                + "\"quickscorer\":{\"feature_set\":\"terms\",\"log\":true}}}");
    assertStatus(200, found);
    Set<List<Double>> rows = new HashSet<>();
    for (Object hit : (List<?>) found.at("hits", "hits")) {
      Map<?, ?> fields = (Map<?, ?>) ((Map<?, ?>) hit).get("fields");
      Map<?, ?> shown = (Map<?, ?>) ((List<?>) fields.get("_quickscorer")).getFirst();
      List<Double> row = new ArrayList<>();
      for (Object value : (List<?>) shown.get("features")) {
        row.add(((Number) value).doubleValue());
      }
      rows.add(row);
    }
    return rows;
  }

  /** The contributions of all features and the expected score add up to the score. */
  private static void assertExplained(Answer answer) {
    assertStatus(200, answer);
    for (Object hit : (List<?>) answer.at("hits", "hits")) {
      Map<?, ?> whole = (Map<?, ?>) ((Map<?, ?>) hit).get("_explanation");
      Map<?, ?> byModel = (Map<?, ?>) ((List<?>) whole.get("details")).getFirst();
      double sum = 0;
      int trees = 0;
      for (Object detail : (List<?>) byModel.get("details")) {
        Map<?, ?> node = (Map<?, ?>) detail;
        String says = (String) node.get("description");
        List<?> below = (List<?>) node.get("details");
        if (says.startsWith("expected raw score")) {
          sum += value(node);
        } else if (says.startsWith("sum of the trees")) {
          trees = below.size();
        } else {
          assertTrue(says, says.startsWith("feature ["));
          sum += below.stream().mapToDouble(b -> value((Map<?, ?>) b)).sum();
        }
      }
      double score = value(byModel);
      assertEquals(byModel.toString(), score, sum, 1e-5 * Math.max(1, Math.abs(score)));
      assertTrue(byModel.toString(), trees > 0);
    }
  }

  private static double value(Map<?, ?> explanation) {
    return ((Number) explanation.get("value")).doubleValue();
  }

  private static String body(String model, String options) {
    return "{\"size\":%s,\"query\":{\"match_all\":{}},\"rescore\":{\"window_size\":%s,\"quickscorer\":{\"model\":\"%s\"%s}}}"
        .formatted(ROWS, ROWS, model, options);
  }

  private static String fieldFeatures(List<String> names) {
    StringBuilder json = new StringBuilder("{\"features\":[");
    for (String name : names) {
      json.append(json.charAt(json.length() - 1) == '[' ? "" : ",")
          .append(
              String.format(
                  Locale.ROOT,
                  "{\"name\":\"%s\",\"type\":\"field\",\"field\":\"%s\"}",
                  name,
                  name));
    }
    return json.append("]}").toString();
  }

  /** One document per row that a document can hold: fields have no infinite values. */
  private void indexRows(String index, TestModel model) throws Exception {
    List<String> names = model.ensemble().featureNames();
    try (XContentBuilder mapping = XContentFactory.jsonBuilder()) {
      mapping.startObject().startObject("mappings").startObject("properties");
      for (String name : names) {
        mapping.startObject(name).field("type", "double").endObject();
      }
      mapping.endObject().endObject();
      mapping.startObject("settings").field("number_of_shards", 2).endObject().endObject();
      assertStatus(200, send("PUT", "/" + index, mapping.toString()));
    }
    Fixture.Cases cases = model.fixture().cases();
    StringBuilder bulk = new StringBuilder();
    for (int row = 0; row < Math.min(ROWS, cases.raw().length); row++) {
      try (XContentBuilder document = XContentFactory.jsonBuilder()) {
        document.startObject();
        boolean finite = true;
        for (int f = 0; f < names.size(); f++) {
          float value = cases.values()[row * names.size() + f];
          finite &= !Float.isInfinite(value);
          if (Float.isFinite(value)) {
            document.field(names.get(f), (double) value);
          }
        }
        document.endObject();
        if (finite) {
          bulk.append("{\"index\":{\"_id\":\"").append(row).append("\"}}\n");
          bulk.append(document).append('\n');
        }
      }
    }
    Answer indexed = send("POST", "/" + index + "/_bulk?refresh=true", bulk.toString());
    assertStatus(200, indexed);
    assertEquals(false, indexed.at("errors"));
  }

  private static Map<String, Float> scores(Answer found) {
    Map<String, Float> scores = new HashMap<>();
    for (Object hit : (List<?>) found.at("hits", "hits")) {
      Map<?, ?> map = (Map<?, ?>) hit;
      scores.put((String) map.get("_id"), ((Number) map.get("_score")).floatValue());
    }
    return scores;
  }
}
