// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.List;
import java.util.Map;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Documents of the learning-to-rank plugin, pasted as that plugin gives them. */
@ClusterScope(numDataNodes = 1, supportsDedicatedMasters = false)
public class ImportRestTests extends QuickScorerHttpTestCase {
  private static final String SET =
      "{\"name\":\"Movies\",\"features\":[{\"name\":\"t\",\"params\":[\"k\"],"
          + "\"template_language\":\"mustache\",\"template\":{\"match\":{\"t\":\"{{k}}\"}}},"
          + "{\"name\":\"all\",\"params\":[],\"template\":\"{\\\"match_all\\\": {}}\"}]}";

  public void testFeatureSetIsTakenOver() throws Exception {
    String document =
        "{\"_index\":\".ltrstore\",\"_id\":\"featureset-Movies\",\"found\":true,\"_source\":"
            + "{\"name\":\"Movies\",\"type\":\"featureset\",\"featureset\":"
            + SET
            + "}}";
    Answer upper = send("POST", BASE + "_import", document);
    assertStatus(400, upper);
    assertTrue(upper.body(), upper.body().contains("parameter [name]"));
    Answer imported = send("POST", BASE + "_import?name=movies", document);
    assertStatus(201, imported);
    assertEquals(2, imported.at("feature_set", "features"));
    List<?> features = (List<?>) send("GET", BASE + "feature_sets/movies").at("features");
    assertEquals("t", ((Map<?, ?>) features.getFirst()).get("name"));
    assertStatus(400, send("POST", BASE + "_import", "{}"));
  }

  public void testModelIsTakenOverWithItsSetAndScores() throws Exception {
    String dump =
        "[{\\\"nodeid\\\":0,\\\"split\\\":\\\"t\\\",\\\"split_condition\\\":0.01,\\\"yes\\\":1,"
            + "\\\"no\\\":2,\\\"missing\\\":1,\\\"children\\\":[{\\\"nodeid\\\":1,\\\"leaf\\\":1.5},"
            + "{\\\"nodeid\\\":2,\\\"leaf\\\":2.5}]}]";
    String document =
        "{\"_source\":{\"name\":\"best\",\"type\":\"model\",\"model\":{\"name\":\"best\","
            + "\"feature_set\":"
            + SET
            + ",\"model\":{\"type\":\"model/xgboost+json\",\"definition\":\""
            + dump
            + "\"}}}}";
    Answer imported = send("POST", BASE + "_import?feature_set=movies2", document);
    assertStatus(201, imported);
    assertEquals("movies2", imported.at("feature_set", "name"));
    assertEquals("best", imported.at("model", "name"));
    send("PUT", "/docs/_doc/1?refresh=true", "{\"t\":\"red shoe\"}");
    send("PUT", "/docs/_doc/2?refresh=true", "{\"t\":\"blue hat\"}");
    Answer found =
        send(
            "POST",
            "/docs/_search",
            "{\"rescore\":{\"quickscorer\":{\"model\":\"best\",\"params\":{\"k\":\"hat\"}}}}");
    assertStatus(200, found);
    List<?> hits = (List<?>) found.at("hits", "hits");
    assertEquals("2", ((Map<?, ?>) hits.get(0)).get("_id"));
    assertEquals(2.5, ((Map<?, ?>) hits.get(0)).get("_score"));
    assertEquals(1.5, ((Map<?, ?>) hits.get(1)).get("_score"));
    assertStatus(200, send("DELETE", BASE + "models/best"));
  }

  private static String linear(String set, String weights) {
    return "{\"_source\":{\"name\":\"linear\",\"type\":\"model\",\"model\":{\"name\":\"linear\","
        + "\"feature_set\":"
        + set
        + ",\"model\":{\"type\":\"model/linear\",\"definition\":\""
        + weights.replace("\"", "\\\"")
        + "\"}}}}";
  }

  public void testRefusedModelLeavesAllAsItWas() throws Exception {
    String precious =
        "{\"features\":[{\"name\":\"a\",\"type\":\"param\",\"param\":\"p\"},"
            + "{\"name\":\"b\",\"type\":\"param\",\"param\":\"q\"}]}";
    assertStatus(201, send("PUT", BASE + "feature_sets/precious", precious));
    Answer stored = send("GET", BASE + "feature_sets/precious");
    for (String weights : List.of("{\"nope\": 1}", "{\"t\": 1}")) {
      Answer refused = send("POST", BASE + "_import?feature_set=precious", linear(SET, weights));
      assertStatus(409, refused);
      assertTrue(refused.body(), refused.body().contains("feature set [precious] already exists"));
    }
    assertEquals(stored.body(), send("GET", BASE + "feature_sets/precious").body());
    Answer wrong = send("POST", BASE + "_import?feature_set=fresh", linear(SET, "{\"nope\": 1}"));
    assertStatus(400, wrong);
    assertTrue(wrong.body(), wrong.body().contains("nope"));
    assertStatus(404, send("GET", BASE + "feature_sets/fresh"));
    assertStatus(404, send("GET", BASE + "models/linear"));
  }

  /** A sum of a feature that matches and one that does not is that of the first. */
  public void testDerivedFeaturesTakeMissingOnesForZero() throws Exception {
    String set =
        "{\"name\":\"sums\",\"features\":[{\"name\":\"t\",\"params\":[\"k\"],\"template\":"
            + "{\"constant_score\":{\"filter\":{\"match\":{\"t\":\"{{k}}\"}}}}},"
            + "{\"name\":\"all\",\"params\":[],\"template\":{\"match_all\":{\"boost\":3}}},"
            + "{\"name\":\"both\",\"params\":[],\"template_language\":\"derived_expression\","
            + "\"template\":\"t + all\"}]}";
    String document = linear(set, "{\"both\": 1}");
    Answer kept = send("POST", BASE + "_import?name=kept&feature_set=kept&missing=keep", document);
    assertStatus(201, kept);
    assertEquals("keep", kept.at("missing"));
    Answer imported = send("POST", BASE + "_import", document);
    assertStatus(201, imported);
    assertEquals("0", imported.at("missing"));
    send("PUT", "/sums/_doc/1?refresh=true", "{\"t\":\"blue hat\"}");
    for (Map.Entry<String, Double> each : Map.of("linear", 3.0, "kept", 0.0).entrySet()) {
      Answer found =
          send(
              "POST",
              "/sums/_search",
              "{\"rescore\":{\"quickscorer\":{\"model\":\""
                  + each.getKey()
                  + "\",\"params\":{\"k\":\"shoe\"}}}}");
      assertStatus(200, found);
      assertEquals(
          each.getValue(),
          ((Map<?, ?>) ((List<?>) found.at("hits", "hits")).getFirst()).get("_score"));
      assertStatus(200, send("DELETE", BASE + "models/" + each.getKey()));
    }
  }

  /** That plugin computes an expression before the features that come after it. */
  public void testDerivedFeaturesBeforeTheirOperands() throws Exception {
    String set =
        "{\"name\":\"early\",\"features\":["
            + "{\"name\":\"sum\",\"params\":[],\"template_language\":\"derived_expression\","
            + "\"template\":\"5 + all\"},"
            + "{\"name\":\"all\",\"params\":[],\"template\":{\"match_all\":{\"boost\":3}}}]}";
    String document = linear(set, "{\"sum\": 1, \"all\": 10}");
    assertStatus(201, send("POST", BASE + "_import?name=zero&feature_set=zero", document));
    assertStatus(
        201, send("POST", BASE + "_import?name=unset&feature_set=unset&missing=keep", document));
    send("PUT", "/early/_doc/1?refresh=true", "{\"t\":\"blue hat\"}");
    for (Map.Entry<String, Double> each : Map.of("zero", 35.0, "unset", 30.0).entrySet()) {
      Answer found =
          send(
              "POST",
              "/early/_search",
              "{\"rescore\":{\"quickscorer\":{\"model\":\"" + each.getKey() + "\"}}}");
      assertStatus(200, found);
      List<?> hits = (List<?>) found.at("hits", "hits");
      assertEquals(each.getValue(), ((Map<?, ?>) hits.getFirst()).get("_score"));
      assertStatus(200, send("DELETE", BASE + "models/" + each.getKey()));
    }
  }

  /** The bodies of {@code POST _featureset/NAME} and {@code _createmodel}. */
  public void testBodiesThatClientsPostThereAreTakenOver() throws Exception {
    String set =
        "{\"validation\":{\"index\":\"tmdb\",\"params\":{\"k\":\"hat\"}},\"featureset\":"
            + SET.replace("\"name\":\"Movies\",", "")
            + "}";
    Answer nameless = send("POST", BASE + "_import", set);
    assertStatus(400, nameless);
    assertTrue(nameless.body(), nameless.body().contains("parameter [name]"));
    assertStatus(201, send("POST", BASE + "_import?name=posted", set));
    Answer again = send("POST", BASE + "_import?name=posted", set);
    assertStatus(200, again);
    assertEquals("noop", again.at("feature_set", "result"));
    String trees =
        "<ensemble><tree id='1' weight='1'><split><feature>1</feature><threshold>0.01</threshold>"
            + "<split pos='left'><output>1.5</output></split>"
            + "<split pos='right'><output>2.5</output></split></split></tree></ensemble>";
    for (String definition :
        List.of(
            "\"type\":\"model/ranklib\",\"definition\":\"## LambdaMART\\n" + trees + "\"",
            "\"type\":\"model/linear\",\"definition\":\"{\\\"t\\\": 1}\"")) {
      String body = "{\"model\":{\"name\":\"Latest\",\"model\":{" + definition + "}}}";
      Answer setless = send("POST", BASE + "_import?name=latest", body);
      assertStatus(400, setless);
      assertTrue(setless.body(), setless.body().contains("parameter [feature_set]"));
      assertStatus(404, send("POST", BASE + "_import?name=latest&feature_set=nowhere", body));
      Answer model = send("POST", BASE + "_import?name=latest&feature_set=posted", body);
      assertStatus(201, model);
      assertEquals("noop", model.at("feature_set", "result"));
      Answer equal = send("POST", BASE + "_import?name=latest&feature_set=posted", body);
      assertEquals("noop", equal.at("model", "result"));
      assertEquals(List.of("t"), send("GET", BASE + "models/latest").at("features_used"));
      assertStatus(200, send("DELETE", BASE + "models/latest"));
    }
  }

  /** Trees of XGBoost decide on what is missing, over a set whose features are 0 for others too. */
  public void testAModelThatIsPostedGetsTheFeaturesThatItMeans() throws Exception {
    String set =
        "{\"featureset\":{\"features\":[{\"name\":\"t\",\"params\":[\"k\"],\"template\":"
            + "{\"constant_score\":{\"filter\":{\"match\":{\"t\":\"{{k}}\"}}}}}]}}";
    assertStatus(201, send("POST", BASE + "_import?name=meant", set));
    String tree =
        "[{\\\"nodeid\\\":0,\\\"split\\\":\\\"t\\\",\\\"split_condition\\\":0.5,\\\"yes\\\":1,"
            + "\\\"no\\\":2,\\\"missing\\\":2,\\\"children\\\":[{\\\"nodeid\\\":1,\\\"leaf\\\":1.0},"
            + "{\\\"nodeid\\\":2,\\\"leaf\\\":2.0}]}]";
    String body =
        "{\"model\":{\"name\":\"trees\",\"model\":{\"type\":\"model/xgboost+json\",\"definition\":\""
            + tree
            + "\"}}}";
    send("PUT", "/meant/_doc/1?refresh=true", "{\"t\":\"blue hat\"}");
    for (Map.Entry<String, Double> each : Map.of("", 2.0, "&missing=0", 1.0).entrySet()) {
      boolean kept = each.getKey().isEmpty();
      Answer model = send("POST", BASE + "_import?feature_set=meant" + each.getKey(), body);
      assertTrue(model.body(), model.status() < 300);
      assertEquals(kept ? "keep" : "0", model.at("missing"));
      assertEquals(kept ? "meant_keep" : "meant", model.at("feature_set", "name"));
      Answer found =
          send(
              "POST",
              "/meant/_search",
              "{\"rescore\":{\"quickscorer\":{\"model\":\"trees\",\"params\":{\"k\":\"shoe\"}}}}");
      assertStatus(200, found);
      assertEquals(
          each.getValue(),
          ((Map<?, ?>) ((List<?>) found.at("hits", "hits")).getFirst()).get("_score"));
    }
    assertStatus(200, send("DELETE", BASE + "models/trees"));
  }

  public void testTheSameSetMayComeAgain() throws Exception {
    String document = linear(SET, "{\"t\": 1}");
    assertStatus(201, send("POST", BASE + "_import?feature_set=shared", document));
    Answer again =
        send("POST", BASE + "_import?feature_set=shared", linear(SET, "{\"t\": 2, \"all\": 1}"));
    assertStatus(200, again);
    assertEquals("updated", again.at("model", "result"));
    assertEquals("noop", again.at("feature_set", "result"));
    Answer equal =
        send("POST", BASE + "_import?feature_set=shared", linear(SET, "{\"t\": 2, \"all\": 1}"));
    assertStatus(200, equal);
    assertEquals("noop", equal.at("model", "result"));
    // A model that is refused does not take the set with it.
    Answer wrong = send("POST", BASE + "_import?feature_set=shared", linear(SET, "{\"nope\": 1}"));
    assertStatus(400, wrong);
    assertStatus(200, send("GET", BASE + "feature_sets/shared"));
    assertStatus(200, send("DELETE", BASE + "models/linear"));
  }
}
