// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.compile.JdkDefects;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import io.quickscorer.plugin.testing.TestModel;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.junit.After;
import org.junit.Before;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.test.MockLogAppender;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Models and feature sets over HTTP: what is stored comes back and scores. */
@ClusterScope(numDataNodes = 2, supportsDedicatedMasters = false)
public class ModelRestTests extends QuickScorerHttpTestCase {
  private static final TestModel LIGHTGBM = TestModel.LIGHTGBM;
  private static final TestModel XGBOOST = TestModel.XGBOOST;

  /** The name of the logger of uploads. */
  private static final String UPLOADS = "io.quickscorer.plugin.ModelUploads";

  @Before
  public void putFeatureSets() throws Exception {
    send("PUT", BASE + "feature_sets/lgbm", LIGHTGBM.featureSet());
    send("PUT", BASE + "feature_sets/xgb", XGBOOST.featureSet());
  }

  @After
  public void deleteModels() throws Exception {
    for (Object model : (List<?>) send("GET", BASE + "models").at("models")) {
      assertStatus(200, send("DELETE", BASE + "models/" + ((Map<?, ?>) model).get("name")));
    }
  }

  public void testFileIsStoredLoadedAndDeleted() throws Exception {
    Answer put = send("PUT", BASE + "models/raw?feature_set=lgbm", LIGHTGBM.text());
    assertStatus(201, put);
    assertEquals("created", put.at("result"));
    Map<?, ?> nodes = (Map<?, ?>) put.at("nodes");
    assertEquals(2, nodes.size());
    for (Object node : nodes.values()) {
      assertEquals("loaded", ((Map<?, ?>) node).get("state"));
      assertEquals(true, ((Map<?, ?>) node).get("current"));
    }

    Answer get = send("GET", BASE + "models/raw");
    assertStatus(200, get);
    assertEquals("lightgbm_text", get.at("format"));
    assertEquals("lgbm", get.at("feature_set"));
    assertEquals(LIGHTGBM.ensemble().trees().size(), get.at("trees"));
    assertEquals(LIGHTGBM.file().length, get.at("bytes"));
    assertEquals(put.at("version"), get.at("version"));
    assertEquals(2, ((Map<?, ?>) get.at("nodes")).size());
    assertStatus(200, send("HEAD", BASE + "models/raw"));
    assertEquals(1, ((List<?>) send("GET", BASE + "models").at("models")).size());

    assertStatus(200, send("DELETE", BASE + "models/raw"));
    assertStatus(404, send("GET", BASE + "models/raw"));
    assertStatus(404, send("HEAD", BASE + "models/raw"));
    assertStatus(404, send("DELETE", BASE + "models/raw"));
    assertEquals(List.of(), send("GET", BASE + "models").at("models"));
  }

  public void testWhatAFileLeavesOpenIsToldOnUploadLaterAndInTheLog() throws Exception {
    send("PUT", BASE + "feature_sets/marked", MarkedModels.FEATURE_SET);
    Answer put;
    try (MockLogAppender log = MockLogAppender.createForLoggers(LogManager.getLogger(UPLOADS))) {
      log.addExpectation(
          new MockLogAppender.PatternSeenEventExpectation(
              "warning",
              UPLOADS,
              Level.WARN,
              ".*dumped.*with warnings: \\[a dump lacks the base score.*"));
      put = send("PUT", BASE + "models/dumped?feature_set=marked", MarkedModels.file(1));
      assertStatus(201, put);
      log.assertAllExpectationsMatched();
    }
    assertTrue(put.body(), ((List<?>) put.at("warnings")).get(0).toString().contains("base score"));
    assertEquals(put.at("warnings"), send("GET", BASE + "models/dumped").at("warnings"));
    Answer plain = send("PUT", BASE + "models/plain?feature_set=lgbm", LIGHTGBM.text());
    assertNull(plain.at("warnings"));
  }

  public void testOneOutputOfSeveralIsScored() throws Exception {
    Fixture fixture =
        Fixture.ofSeveralOutputs().stream()
            .filter(f -> f.trainer().equals("xgboost-3.4.0") && f.name().equals("outputs_softprob"))
            .findFirst()
            .orElseThrow();
    String model = new String(fixture.model("json"), StandardCharsets.UTF_8);
    String path = BASE + "models/several";
    Answer none = send("PUT", path + "?feature_set=xgb", model);
    assertStatus(400, none);
    assertTrue(none.body(), none.body().contains("num_class 5, multi:softprob: several outputs"));
    assertTrue(none.body(), none.body().contains("choose one with ?output=K"));
    Answer outside = send("PUT", path + "?feature_set=xgb&output=5", model);
    assertStatus(400, outside);
    assertTrue(outside.body(), outside.body().contains("output: 5, expected 0..4"));
    assertStatus(400, send("PUT", path + "?feature_set=xgb&output=x", model));
    assertStatus(400, send("PUT", path + "?output=1", "{}"));

    Answer third = send("PUT", path + "?feature_set=xgb&output=2", model);
    assertStatus(201, third);
    assertEquals(2, third.at("output_index"));
    assertTrue(third.body(), third.at("warnings").toString().contains("output 2 of 5"));
    assertEquals(2, send("GET", path).at("output_index"));
    Answer other = send("PUT", path + "?feature_set=xgb&output=3", model);
    assertEquals("updated", other.at("result"));
    assertNotEquals(third.at("version"), other.at("version"));

    Fixture.Outputs outputs = fixture.outputs();
    float[] row = Arrays.copyOf(outputs.values(), outputs.features());
    for (int output = 0; output < outputs.raw().length; output++) {
      StringBuilder values = new StringBuilder();
      for (float value : row) {
        values.append(values.isEmpty() ? "" : ",").append(Float.isNaN(value) ? "null" : value);
      }
      try (XContentBuilder envelope = XContentFactory.jsonBuilder()) {
        envelope.startObject().field("feature_set", "xgb").field("model", model);
        envelope.field("output", output).endObject();
        String parity =
            ",\"parity\":{\"output\":\"raw\",\"rows\":[["
                + values
                + "]],\"expected\":["
                + outputs.raw()[output][0]
                + "]}}";
        String body = envelope.toString();
        Answer put = send("PUT", path, body.substring(0, body.length() - 1) + parity);
        assertTrue(put.body(), put.status() == 200 || put.status() == 201);
        assertEquals(output, put.at("output_index"));
        assertEquals(0, put.at("parity", "max_ulp"));
      }
    }
    assertStatus(400, send("PUT", path, "{\"output\":\"1\"}"));
    assertStatus(400, send("PUT", path, "{\"output\":1.5}"));
  }

  public void testSameContentIsSameVersionHoweverItIsSent() throws Exception {
    Answer first = send("PUT", BASE + "models/m?feature_set=lgbm", LIGHTGBM.text());
    assertStatus(201, first);
    ByteArrayOutputStream gzipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(gzipped)) {
      out.write(LIGHTGBM.file());
    }
    String base64 = Base64.getEncoder().encodeToString(gzipped.toByteArray());
    List<Answer> again =
        List.of(
            send("PUT", BASE + "models/m?feature_set=lgbm&format=lightgbm_text", LIGHTGBM.text()),
            send("PUT", BASE + "models/m?feature_set=lgbm", LIGHTGBM.file(), "application/*"),
            send(
                "PUT",
                BASE + "models/m?feature_set=lgbm",
                gzipped.toByteArray(),
                "application/json"),
            send("PUT", BASE + "models/m", LIGHTGBM.envelope("lgbm", 20, false)),
            send(
                "PUT",
                BASE + "models/m",
                "{\"feature_set\":\"lgbm\",\"model_base64\":\"" + base64 + "\"}"));
    for (Answer answer : again) {
      assertStatus(200, answer);
      assertEquals("noop", answer.at("result"));
      assertEquals(first.at("version"), answer.at("version"));
    }
  }

  public void testOtherRangesAreStoredUnderTheSameVersion() throws Exception {
    String name = LIGHTGBM.ensemble().featureNames().getFirst();
    String envelope = LIGHTGBM.envelope("lgbm", 5, false).substring(1);
    String narrow = "{\"feature_ranges\":{\"" + name + "\":[0,1]}," + envelope;
    String wide = narrow.replace("[0,1]", "[-2,2.5]");
    Answer first = send("PUT", BASE + "models/m", narrow);
    assertStatus(201, first);
    assertEquals("noop", send("PUT", BASE + "models/m", narrow).at("result"));
    assertStatus(409, send("PUT", BASE + "models/m?op_type=create", wide));
    assertEquals(
        Map.of(name, List.of(0.0, 1.0)), send("GET", BASE + "models/m").at("feature_ranges"));

    Answer second = send("PUT", BASE + "models/m?if_version=" + first.at("version"), wide);
    assertStatus(200, second);
    assertEquals("updated", second.at("result"));
    assertEquals(first.at("version"), second.at("version"));
    Answer silent = send("PUT", BASE + "models/m?feature_set=lgbm", LIGHTGBM.text());
    assertEquals("an upload without ranges leaves them alone", "noop", silent.at("result"));
    Answer stored = send("GET", BASE + "models/m");
    assertEquals(Map.of(name, List.of(-2.0, 2.5)), stored.at("feature_ranges"));
    for (Object node : ((Map<?, ?>) stored.at("nodes")).values()) {
      assertEquals("loaded", ((Map<?, ?>) node).get("state"));
    }
  }

  public void testOtherContentIsAnotherVersion() throws Exception {
    Answer first = send("PUT", BASE + "models/m?feature_set=lgbm", LIGHTGBM.text());
    assertStatus(201, first);
    String stale = BASE + "models/m?feature_set=xgb&if_version=" + first.at("version");
    assertStatus(
        409, send("PUT", BASE + "models/m?feature_set=xgb&op_type=create", XGBOOST.text()));
    assertStatus(
        409, send("PUT", BASE + "models/m?feature_set=xgb&if_version=other", XGBOOST.text()));
    Answer second = send("PUT", stale, XGBOOST.text());
    assertStatus(200, second);
    assertEquals("updated", second.at("result"));
    assertNotEquals(first.at("version"), second.at("version"));
    assertStatus(409, send("PUT", stale, XGBOOST.text()));
    assertEquals("xgboost_json", send("GET", BASE + "models/m").at("format"));
  }

  public void testFeaturesAreBoundByMap() throws Exception {
    String name = LIGHTGBM.ensemble().featureNames().getFirst();
    String renamed = LIGHTGBM.featureSet().replace("\"name\":\"" + name + "\"", "\"name\":\"x\"");
    assertStatus(201, send("PUT", BASE + "feature_sets/renamed", renamed));
    Answer unbound = send("PUT", BASE + "models/m?feature_set=renamed", LIGHTGBM.text());
    assertStatus(400, unbound);
    assertTrue(unbound.body(), unbound.body().contains("[" + name + "]"));
    String envelope = LIGHTGBM.envelope("renamed", 5, false);
    String mapped = "{\"feature_map\":{\"" + name + "\":\"x\"}," + envelope.substring(1);
    Answer bound = send("PUT", BASE + "models/m", mapped);
    assertStatus(201, bound);
    assertEquals(Map.of(name, "x"), bound.at("feature_map"));
    assertTrue(bound.body(), ((List<?>) bound.at("features_used")).contains("x"));
  }

  public void testFeaturesAreBoundByPosition() throws Exception {
    List<String> names = LIGHTGBM.ensemble().featureNames();
    String renamed = LIGHTGBM.featureSet();
    Map<String, String> expected = new HashMap<>();
    for (int f = 0; f < names.size(); f++) {
      renamed = renamed.replace("\"name\":\"" + names.get(f) + "\"", "\"name\":\"set_" + f + "\"");
      expected.put(names.get(f), "set_" + f);
    }
    assertStatus(201, send("PUT", BASE + "feature_sets/places", renamed));
    String path = BASE + "models/m?feature_set=places";
    Answer byName = send("PUT", path, LIGHTGBM.text());
    assertStatus(400, byName);
    assertTrue(byName.body(), byName.body().contains("[bind] to [position]"));
    Answer bound = send("PUT", path + "&bind=position", LIGHTGBM.text());
    assertStatus(201, bound);
    assertEquals(expected, bound.at("feature_map"));
    assertEquals(expected, send("GET", BASE + "models/m").at("feature_map"));
    String envelope = LIGHTGBM.envelope("places", 5, false);
    Answer same = send("PUT", BASE + "models/m", "{\"bind\":\"position\"," + envelope.substring(1));
    assertStatus(200, same);
    assertEquals(bound.at("version"), same.at("version"));
    assertStatus(400, send("PUT", path + "&bind=number", LIGHTGBM.text()));
    assertStatus(400, send("PUT", BASE + "models/m?bind=position", envelope));
    String both = "{\"bind\":\"position\",\"feature_map\":{\"a\":\"b\"}," + envelope.substring(1);
    assertStatus(400, send("PUT", BASE + "models/m", both));
    String one =
        "{\"features\":[{\"name\":\"one\",\"type\":\"param\",\"param\":\"one\",\"default\":0}]}";
    assertStatus(201, send("PUT", BASE + "feature_sets/one", one));
    Answer counts = send("PUT", BASE + "models/m?feature_set=one&bind=position", LIGHTGBM.text());
    assertStatus(400, counts);
    assertTrue(
        counts.body(),
        counts
            .body()
            .contains("the model has " + names.size() + " features, but feature set [one] has 1"));
  }

  public void testParityIsCheckedBeforeAnythingIsStored() throws Exception {
    for (TestModel model : List.of(LIGHTGBM, TestModel.LIGHTGBM_BINARY, XGBOOST)) {
      assertTrue(send("PUT", BASE + "feature_sets/p", model.featureSet()).status() < 300);
      for (boolean transformed : List.of(true, false)) {
        String envelope = model.envelope("p", 50, transformed);
        Answer good = send("PUT", BASE + "models/p", envelope);
        assertTrue(good.body(), good.status() < 300);
        assertEquals(50, good.at("parity", "rows"));
        String expected = "\"expected\":[";
        String spoilt = envelope.replace(expected, expected + "1e9,");
        String oneMoreRow = spoilt.replace("\"rows\":[", "\"rows\":[" + row(model) + ",");
        Answer bad = send("PUT", BASE + "models/spoilt", oneMoreRow);
        assertStatus(400, bad);
        assertTrue(bad.body(), bad.body().contains("parity: row 0: expected 1.0E9"));
      }
    }
    assertStatus(404, send("GET", BASE + "models/spoilt"));
  }

  private static String row(TestModel model) {
    StringBuilder row = new StringBuilder("[0");
    row.repeat(",0", model.ensemble().featureNames().size() - 1);
    return row.append(']').toString();
  }

  public void testSearchScoresAsTheTrainerDoes() throws Exception {
    assertStatus(200, send("PUT", "/docs/_doc/1?refresh=true&op_type=index", "{\"a\":1}", 201));
    for (TestModel model : List.of(LIGHTGBM, XGBOOST)) {
      String set = model == LIGHTGBM ? "lgbm" : "xgb";
      assertStatus(201, send("PUT", BASE + "models/" + set, model.envelope(set, 20, false)));
      Fixture.Cases cases = model.fixture().cases();
      for (int row = 0; row < 20; row++) {
        StringBuilder params = new StringBuilder();
        for (int f = 0; f < cases.features(); f++) {
          float value = cases.values()[row * cases.features() + f];
          params
              .append(f == 0 ? "" : ",")
              .append('"')
              .append(model.ensemble().featureNames().get(f));
          params.append("\":").append(Float.isNaN(value) ? "null" : Float.toString(clamp(value)));
        }
        Answer found =
            send(
                "POST",
                "/docs/_search",
                "{\"rescore\":{\"window_size\":10,\"quickscorer\":{\"model\":\""
                    + set
                    + "\",\"params\":{"
                    + params
                    + "}}}}");
        assertStatus(200, found);
        Number score = (Number) found.at("hits", "max_score");
        assertEquals((float) cases.raw()[row], score.floatValue(), 0);
      }
    }
    // Verification uses the models after the searches have returned.
    assertBusy(
        () -> {
          String used = send("GET", BASE + "stats").body();
          assertFalse(used, used.contains("\"active_uses\":1"));
        },
        60,
        TimeUnit.SECONDS);
    Answer stats = send("GET", BASE + "stats");
    long documents = 0;
    Map<String, Integer> windows = new HashMap<>();
    for (Object node : ((Map<?, ?>) stats.at("nodes")).values()) {
      assertEquals(
          Map.of("version", Runtime.version().toString(), "known_defects", JdkDefects.ofThisJvm()),
          ((Map<?, ?>) node).get("jvm"));
      Map<?, ?> rescore = (Map<?, ?>) ((Map<?, ?>) node).get("rescore");
      documents += ((Number) rescore.get("documents")).longValue();
      for (Object each : (List<?>) ((Map<?, ?>) node).get("models")) {
        Map<?, ?> model = (Map<?, ?>) each;
        Map<?, ?> counted = (Map<?, ?>) model.get("rescore");
        assertEquals(stats.body(), 0, model.get("active_uses"));
        assertEquals(stats.body(), 0, counted.get("failures"));
        int scored = ((Number) counted.get("windows")).intValue();
        if (scored > 0) {
          windows.merge((String) model.get("name"), scored, Integer::sum);
        }
        Map<?, ?> times = (Map<?, ?>) ((Map<?, ?>) counted.get("histograms")).get("score");
        assertEquals(stats.body(), scored, times.get("count"));
      }
    }
    assertEquals(stats.body(), 40, documents);
    assertEquals(stats.body(), Map.of("lgbm", 20, "xgb", 20), windows);
  }

  private static float clamp(float value) {
    return Math.clamp(value, -Float.MAX_VALUE, Float.MAX_VALUE);
  }

  private Answer send(String method, String path, String body, int also) throws Exception {
    Answer answer = send(method, path, body);
    return answer.status() == also ? new Answer(200, answer.body(), null) : answer;
  }

  public void testFeatureSetsKeepCopiesOfIncludedFeatures() throws Exception {
    String own = "{\"name\":\"own\",\"type\":\"first_pass_score\"}";
    String set = "{\"include\":[{\"feature_set\":\"lgbm\"}],\"features\":[" + own + "]}";
    assertStatus(201, send("PUT", BASE + "feature_sets/more", set));
    List<?> included = (List<?>) send("GET", BASE + "feature_sets/lgbm").at("features");
    assertStatus(200, send("PUT", BASE + "feature_sets/lgbm", "{\"features\":[" + own + "]}"));

    List<?> features = (List<?>) send("GET", BASE + "feature_sets/more").at("features");
    assertEquals(included, features.subList(0, included.size()));
    assertEquals(
        List.of(Map.of("name", "own", "type", "first_pass_score")),
        features.subList(included.size(), features.size()));
    Answer put = send("PUT", BASE + "models/more?feature_set=more", LIGHTGBM.text());
    assertStatus(201, put);
  }

  public void testFeatureSetsComeBackAsTheyWere() throws Exception {
    Answer created = send("PUT", BASE + "feature_sets/f", LIGHTGBM.featureSet());
    assertStatus(201, created);
    assertStatus(200, send("PUT", BASE + "feature_sets/f", LIGHTGBM.featureSet()));
    assertStatus(409, send("PUT", BASE + "feature_sets/f?op_type=create", LIGHTGBM.featureSet()));
    Answer got = send("GET", BASE + "feature_sets/f");
    assertStatus(200, got);
    assertEquals(LIGHTGBM.ensemble().featureNames().size(), ((List<?>) got.at("features")).size());
    assertTrue(((List<?>) send("GET", BASE + "feature_sets").at("feature_sets")).size() >= 3);
    assertStatus(200, send("DELETE", BASE + "feature_sets/f"));
    assertStatus(404, send("DELETE", BASE + "feature_sets/f"));
    assertStatus(404, send("GET", BASE + "feature_sets/f"));
    assertStatus(404, send("HEAD", BASE + "feature_sets/f"));
  }
}
