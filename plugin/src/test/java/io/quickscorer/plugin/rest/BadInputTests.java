// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import io.quickscorer.plugin.testing.TestModel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Every kind of bad request gets the status that is its own and a message that names the place. */
@ClusterScope(numDataNodes = 1, supportsDedicatedMasters = false)
public class BadInputTests extends QuickScorerHttpTestCase {
  private static final TestModel MODEL = TestModel.LIGHTGBM;
  private static final int MAX_BYTES = 1 << 20;

  @Override
  protected Settings nodeSettings(int ordinal) {
    return Settings.builder()
        .put(super.nodeSettings(ordinal))
        .put("http.max_content_length", MAX_BYTES + "b")
        .put("quickscorer.model.max_count", 2)
        .build();
  }

  private record Case(
      String method, String path, byte[] body, String type, int status, String says) {
    Case(String method, String path, String body, int status, String says) {
      this(method, path, body.getBytes(StandardCharsets.UTF_8), "application/json", status, says);
    }

    @Override
    public String toString() {
      String start = new String(body, 0, Math.min(60, body.length), StandardCharsets.UTF_8);
      return method + " " + path + " " + start.replace('\n', ' ');
    }
  }

  private static Case putModel(String query, String body, int status, String says) {
    return new Case("PUT", BASE + "models/m" + query, body, status, says);
  }

  private static List<Case> names() {
    List<Case> cases = new ArrayList<>();
    for (String kind : List.of("models/", "feature_sets/")) {
      String query = kind.startsWith("m") ? "?feature_set=fs" : "";
      for (String name :
          List.of(
              "%20",
              "Upper",
              "a..b",
              "%2e%2e",
              "a%2Fb",
              "_a",
              ".a",
              "-a",
              "a%0Ab",
              "a%00b",
              "m%C3%B6del",
              "a".repeat(129))) {
        cases.add(new Case("PUT", BASE + kind + name + query, "{}", 400, "the name"));
      }
    }
    return cases;
  }

  private List<Case> models() throws Exception {
    String envelope = MODEL.envelope("fs", 1, false);
    String text = MODEL.text();
    byte[] half = Arrays.copyOf(MODEL.file(), MODEL.file().length / 2);
    byte[] gzip = {0x1f, (byte) 0x8b, 8, 0, 1, 2, 3};
    return List.of(
        putModel("?feature_set=fs", " ", 400, "invalid_model"),
        putModel("?feature_set=fs", "{\"a\":\"x\"}", 400, "invalid_model"),
        putModel("?feature_set=fs", "{}", 400, "invalid_model"),
        putModel("?feature_set=fs&format=xgboost_json", text, 400, "invalid_model"),
        putModel("?feature_set=fs&format=pickle", text, 400, "lightgbm_text, lightgbm_json"),
        putModel("?feature_set=fs&op_type=replace", text, 400, "op_type"),
        putModel("?feature_set=fs&timeout=soon", text, 400, "timeout"),
        putModel("?feature_set=fs&unknown=1", text, 400, "unknown"),
        putModel("?feature_set=none", text, 404, "none"),
        putModel("?feature_set=A", text, 400, "feature set: character 1 of the name"),
        putModel("?feature_set=other", text, 400, "is not in feature set [other]"),
        putModel("?format=auto", envelope, 400, "[format]"),
        putModel("", text, 400, "not valid json"),
        putModel("", "[]", 400, "expected an object"),
        putModel("", "{}", 400, "[feature_set]"),
        putModel("", "{\"model\":\"\",\"feature_set\":\"fs\"}", 400, "[model]"),
        putModel("", "{\"model\":\"tree\"}", 400, "[feature_set]"),
        putModel("", "{\"model\":1,\"feature_set\":\"fs\"}", 400, "model: expected a string"),
        putModel("", "{\"model\":\"a\",\"model_base64\":\"YQ==\"}", 400, "cannot be used together"),
        putModel("", "{\"model_base64\":\"%%\",\"feature_set\":\"fs\"}", 400, "base64"),
        putModel("", "{\"learner\":{}}", 400, "unknown field [learner]"),
        putModel("", envelope.replaceFirst("\\{", "{\"feature_set\":\"fs\","), 400, "not valid"),
        putModel("", envelope + "{}", 400, "unexpected content after"),
        putModel("", envelope.substring(0, envelope.length() - 9), 400, "not valid"),
        putModel("", extended(envelope, "\"feature_map\":{\"nope\":\"x\"}"), 400, "[nope]"),
        putModel("", extended(envelope, "\"feature_map\":[]"), 400, "feature_map"),
        putModel("", extended(envelope, "\"format\":\"pickle\""), 400, "unknown model format"),
        putModel("", envelope.replace("\"raw\"", "\"cooked\""), 400, "parity.output"),
        putModel("", envelope.replace("\"rows\":[[", "\"rows\":[[1,"), 400, "parity: row 0"),
        putModel(
            "", envelope.replace("\"rows\":[[", "\"rows\":[[\"a\","), 400, "parity.rows[0][0]"),
        putModel("", envelope.replace("\"expected\":[", "\"expected\":[1,"), 400, "parity: 1 rows"),
        new Case("PUT", BASE + "models/m?feature_set=fs", half, "application/json", 400, "invalid"),
        new Case("PUT", BASE + "models/m?feature_set=fs", gzip, "application/json", 400, "gzip"),
        new Case("PUT", BASE + "models/m?feature_set=fs", MODEL.file(), "text/plain", 406, ""),
        new Case(
            "PUT",
            BASE + "models/m?feature_set=fs",
            new byte[MAX_BYTES + 1],
            "application/json",
            413,
            ""),
        new Case("POST", BASE + "models/m", "{}", 405, ""),
        new Case("DELETE", BASE + "models/none", "{}", 404, "none"),
        new Case("GET", BASE + "models/none", "{}", 404, "none"));
  }

  private static String extended(String envelope, String field) {
    return envelope.replaceFirst("\\{", "{" + field.replace("\\", "\\\\") + ",");
  }

  private static List<Case> featureSets() {
    List<Case> cases = new ArrayList<>();
    for (String body :
        List.of(
            "",
            "[]",
            "{",
            "{}",
            "{\"features\":[]}",
            "{\"features\":{}}",
            "{\"features\":[{\"name\":\"a\"}]}",
            "{\"features\":[{\"name\":\"a\",\"type\":\"nope\"}]}",
            "{\"features\":[{\"name\":\"a\",\"type\":\"field\"}]}",
            "{\"features\":[{\"name\":\"a\",\"type\":\"field\",\"field\":\"f\",\"x\":1}]}",
            "{\"features\":[],\"features\":[]}",
            "{\"include\":[]}",
            "{\"include\":[{\"feature_set\":\"fs\",\"features\":[\"none\"]}]}",
            "{\"include\":[{\"feature_set\":\"fs\"},{\"feature_set\":\"fs\"}]}",
            "{\"features\":[{\"name\":\"a\",\"type\":\"query\",\"query\":\"{{#a}}\"}]}")) {
      cases.add(new Case("PUT", BASE + "feature_sets/f", body, 400, ""));
    }
    String unknown = "{\"include\":[{\"feature_set\":\"none\"}]}";
    cases.add(new Case("PUT", BASE + "feature_sets/f", unknown, 404, "no feature set [none]"));
    cases.add(new Case("DELETE", BASE + "feature_sets/none", "{}", 404, "none"));
    return cases;
  }

  /** Half of a surrogate pair, as JSON's escapes write it, and levels inside one another. */
  private static List<Case> texts() throws Exception {
    String half = "\\ud800";
    // The parser itself refuses names of fields.
    String says = "surrogate pair";
    List<Case> cases = new ArrayList<>();
    for (String feature :
        List.of(
            "{\"name\":\"" + half + "\",\"type\":\"first_pass_score\"}",
            "{\"name\":\"a\",\"type\":\"field\",\"field\":\"" + half + "\"}",
            "{\"name\":\"a\",\"type\":\"query\",\"query\":{\"term\":{\"t\":\"" + half + "\"}}}",
            "{\"name\":\"a\",\"type\":\"query\",\"query\":{\"term\":{\"" + half + "\":1}}}")) {
      String set = "{\"features\":[" + feature + "]}";
      cases.add(new Case("PUT", BASE + "feature_sets/f", set, 400, says));
    }
    for (String clause :
        List.of(
            "\"model\":\"" + half + "\"",
            "\"models\":[\"" + half + "\"]",
            "\"feature_set\":\"" + half + "\"",
            "\"feature_set\":\"fs\",\"params\":{\"a\":\"" + half + "\"}",
            "\"feature_set\":\"fs\",\"params\":{\"a\":[{\"" + half + "\":1}]}")) {
      cases.add(new Case("POST", "/_search", MarkedModels.search(clause, 0, 5, 5), 400, says));
    }
    for (int levels : new int[] {100, 999, 1_000, 5_000}) {
      String params = "\"feature_set\":\"fs\",\"params\":{\"a\":" + nested(levels) + "}";
      cases.add(new Case("POST", "/_search", MarkedModels.search(params, 0, 5, 5), 400, "levels"));
    }
    String log = "{\"index\":\"d\",\"queries\":[{\"ids\":[\"" + half + "\"]}]}";
    cases.add(new Case("POST", BASE + "feature_sets/fs/_log", log, 400, says));
    String validate = "{\"index\":\"d\",\"params\":{\"a\":\"" + half + "\"}}";
    cases.add(new Case("POST", BASE + "feature_sets/fs/_validate", validate, 400, says));
    cases.add(putModel("", "{\"model\":\"" + half + "\"}", 400, says));
    cases.add(
        putModel(
            "",
            extended(MODEL.envelope("fs", 1, false), "\"feature_map\":{\"" + half + "\":\"x\"}"),
            400,
            says));
    cases.add(
        putModel(
            "?feature_set=fs",
            MarkedModels.file(1).replace("\"p\"", "\"" + half + "\""),
            400,
            says));
    return cases;
  }

  private static String nested(int levels) {
    return "[".repeat(levels) + "]".repeat(levels);
  }

  public void testBadInput() throws Exception {
    assertStatus(201, send("PUT", BASE + "feature_sets/fs", MODEL.featureSet()));
    String other = "{\"features\":[{\"name\":\"o\",\"type\":\"first_pass_score\"}]}";
    assertStatus(201, send("PUT", BASE + "feature_sets/other", other));
    List<Case> cases = new ArrayList<>(names());
    cases.addAll(models());
    cases.addAll(featureSets());
    cases.addAll(texts());
    List<String> wrong = new ArrayList<>();
    for (Case bad : cases) {
      Answer answer =
          bad.body.length == 0
              ? send(bad.method, bad.path)
              : send(bad.method, bad.path, bad.body, bad.type);
      if (answer.status() != bad.status || !answer.body().contains(bad.says)) {
        wrong.add(
            String.format(
                Locale.ROOT,
                "%s: expected %d saying [%s], was %d %s",
                bad,
                bad.status,
                bad.says,
                answer.status(),
                answer.body()));
      }
    }
    assertEquals(String.join("\n", wrong), 0, wrong.size());
    assertEquals(List.of(), send("GET", BASE + "models").at("models"));
    logger.info("{} bad requests answered as they should be", cases.size());
  }

  public void testLimitsAreNamedWithTheirSetting() throws Exception {
    assertTrue(send("PUT", BASE + "feature_sets/fs", MODEL.featureSet()).status() < 300);
    assertStatus(201, send("PUT", BASE + "feature_sets/xgb", TestModel.XGBOOST.featureSet()));
    for (String limit :
        List.of("max_trees", "max_leaves", "max_depth", "max_features", "max_nodes")) {
      String key = "quickscorer.model." + limit;
      set(key, "1");
      Answer lightgbm = send("PUT", BASE + "models/m?feature_set=fs", MODEL.text());
      Answer xgboost = send("PUT", BASE + "models/m?feature_set=xgb", TestModel.XGBOOST.text());
      set(key, null);
      for (Answer answer : List.of(lightgbm, xgboost)) {
        assertStatus(400, answer);
        assertTrue(
            answer.body(), answer.body().contains("at most 1 allowed by setting [" + key + "]"));
      }
    }
    set("quickscorer.model.max_bytes", "1000b");
    Answer answer = send("PUT", BASE + "models/m?feature_set=fs", MODEL.text());
    set("quickscorer.model.max_bytes", null);
    assertStatus(400, answer);
    assertTrue(answer.body(), answer.body().contains("[quickscorer.model.max_bytes]"));

    assertStatus(201, send("PUT", BASE + "models/a?feature_set=fs", MODEL.text()));
    assertStatus(201, send("PUT", BASE + "models/b?feature_set=fs", MODEL.text()));
    Answer third = send("PUT", BASE + "models/c?feature_set=fs", MODEL.text());
    assertStatus(400, third);
    assertTrue(third.body(), third.body().contains("[quickscorer.model.max_count]"));
    assertStatus(200, send("DELETE", BASE + "models/a"));
    assertStatus(200, send("DELETE", BASE + "models/b"));
  }

  private void set(String key, String value) throws Exception {
    String json = value == null ? "null" : "\"" + value + "\"";
    assertStatus(
        200, send("PUT", "/_cluster/settings", "{\"transient\":{\"" + key + "\":" + json + "}}"));
  }

  public void testUnknownEngineIsRefused() throws Exception {
    Answer answer =
        send("PUT", "/_cluster/settings", "{\"transient\":{\"quickscorer.engine\":\"warp\"}}");
    assertStatus(400, answer);
    assertTrue(answer.body(), answer.body().contains("expected one of auto"));
    Map<String, Object> nothing = send("GET", "/_cluster/settings").json();
    assertEquals(Map.of(), nothing.get("transient"));
  }
}
