// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.verify;

import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import io.quickscorer.scorer.Algorithm;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.After;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.threadpool.ThreadPool;

/** Nodes whose engines are wrong find it out and keep scoring right. */
@ClusterScope(numDataNodes = 1, numClientNodes = 0, supportsDedicatedMasters = false)
public class VerificationTests extends QuickScorerHttpTestCase {
  private static final int DOCUMENTS = 80;

  /** Seen in the floats that answers show. */
  private static final int HIGH_BIT = 51;

  /** Nothing but what a test does may change plans, and hence be a first window again. */
  @Override
  protected Settings nodeSettings(int ordinal) {
    return Settings.builder()
        .put(super.nodeSettings(ordinal))
        .put(ModelSettings.WARM_UP.getKey(), "0")
        .put(ModelSettings.RETIRE_AFTER.getKey(), "0ms")
        .build();
  }

  @After
  public void nothingStaysPlanted() throws Exception {
    PlantedDefects.planted = null;
    put("/_cluster/settings", "{\"persistent\":{\"quickscorer.*\":null}}");
    for (Object model : (List<?>) send("GET", BASE + "models").at("models")) {
      assertStatus(200, send("DELETE", BASE + "models/" + ((Map<?, ?>) model).get("name")));
    }
    assertBusy(() -> assertEquals(0, breakerBytes()), 60, TimeUnit.SECONDS);
  }

  private static long breakerBytes() {
    return internalCluster().getInstance(ModelBreaker.class).breaker().getUsed();
  }

  private void put(String path, String body) throws Exception {
    Answer answer = send("PUT", path, body);
    assertTrue(answer.body(), answer.status() < 300);
  }

  /** A model under a name of its own: what is quarantined stays so. */
  private void start(String name) throws Exception {
    MarkedModels.createIndex(this::request, name, 1, DOCUMENTS);
    put(BASE + "feature_sets/" + name, MarkedModels.FEATURE_SET);
    put(BASE + "models/" + name + "?feature_set=" + name, MarkedModels.file(7));
  }

  private void request(String method, String path, String body) throws Exception {
    Answer answer = send(method, path, body);
    assertTrue(answer.body(), answer.status() < 300);
  }

  /** Searches, and returns whether all scores are the model's. */
  private boolean searchIsRight(String name, String clause) throws Exception {
    Answer answer = send("POST", "/" + name + "/_search", body(name, clause));
    assertStatus(200, answer);
    assertEquals(0, answer.at("_shards", "failed"));
    List<?> hits = (List<?>) answer.at("hits", "hits");
    assertEquals(DOCUMENTS, hits.size());
    boolean right = true;
    for (Object hit : hits) {
      Map<?, ?> map = (Map<?, ?>) hit;
      double expected = Integer.parseInt((String) map.get("_id")) < 30 ? 7.25 : 7.5;
      right &= ((Number) map.get("_score")).doubleValue() == expected;
    }
    return right;
  }

  private static String body(String name, String clause) {
    return MarkedModels.search("\"model\":\"" + name + "\"" + clause, 0, DOCUMENTS, DOCUMENTS);
  }

  private Map<?, ?> node() throws Exception {
    return (Map<?, ?>)
        ((Map<?, ?>) send("GET", BASE + "stats").at("nodes")).values().iterator().next();
  }

  private Map<?, ?> model(String name) throws Exception {
    for (Object model : (List<?>) node().get("models")) {
      if (((Map<?, ?>) model).get("name").equals(name)) {
        return (Map<?, ?>) model;
      }
    }
    throw new AssertionError("no model " + name);
  }

  private long verified(String name, String counter) throws Exception {
    return number(((Map<?, ?>) model(name).get("verified")).get(counter));
  }

  private static long number(Object value) {
    return ((Number) value).longValue();
  }

  private static void plant(
      @Nullable Algorithm device, int document, Predicate<Algorithm> defective) {
    PlantedDefects.planted = cpu -> new DefectiveScorer(cpu, device, defective, document, HIGH_BIT);
  }

  /** Searches until the defective engine is gone. */
  private void searchUntil(String name, Predicate<String> isGone) throws Exception {
    int searches = 0;
    while (!isGone.test(engine(name))) {
      assertTrue("not found: " + model(name), ++searches <= 100);
      searchIsRight(name, "");
      verifyAll();
    }
  }

  /** Waits until nothing waits to be verified. */
  private static void verifyAll() throws Exception {
    internalCluster()
        .getInstance(ThreadPool.class)
        .executor(Verifier.THREAD_POOL)
        .submit(() -> {})
        .get(60, TimeUnit.SECONDS);
  }

  private String engine(String name) throws Exception {
    return (String) model(name).get("engine");
  }

  private void assertStaysRight(String name) throws Exception {
    long wrong = verified(name, "mismatches");
    long windows = verified(name, "windows");
    put("/_cluster/settings", "{\"persistent\":{\"quickscorer.verify.share\":1}}");
    for (int i = 0; i < 30; i++) {
      assertTrue(searchIsRight(name, ""));
    }
    verifyAll();
    assertTrue(verified(name, "windows") > windows);
    assertEquals(wrong, verified(name, "mismatches"));
  }

  public void testAnEngineThatFlipsABitIsFoundAndReplaced() throws Exception {
    plant(null, 41, Algorithm.BIT_SLICED::equals);
    start("flipped");
    assertTrue(engine("flipped"), engine("flipped").contains("bitsliced"));
    assertFalse("the defect shows", searchIsRight("flipped", ""));
    searchUntil("flipped", engine -> !engine.contains("bitsliced"));
    assertBusy(
        () -> assertFalse(engine("flipped"), engine("flipped").equals("object")),
        60,
        TimeUnit.SECONDS);
    assertEquals(List.of("bitsliced"), model("flipped").get("quarantined_engines"));
    assertTrue(verified("flipped", "mismatches") >= 1);
    String metrics = send("GET", BASE + "_prometheus").body();
    for (String alarm :
        List.of(
            "quickscorer_model_quarantined_engines\\{model=\"flipped\",version=\"\\w+\"} 1",
            "quickscorer_model_verified_mismatches_total\\{model=\"flipped\",.*} [1-9].*",
            "quickscorer_verify_mismatches_total [1-9].*")) {
      assertTrue(
          metrics, Pattern.compile("^" + alarm + "$", Pattern.MULTILINE).matcher(metrics).find());
    }
    assertStaysRight("flipped");

    Answer refused =
        send("POST", "/flipped/_search", body("flipped", ",\"algorithm\":\"bitsliced\""));
    assertStatus(400, refused);
    String why = "algorithm [bitsliced] is quarantined for model [flipped@";
    assertTrue(refused.body(), refused.body().contains(why));
    assertTrue(searchIsRight("flipped", ",\"algorithm\":\"cpu\""));
    assertTrue(searchIsRight("flipped", ",\"algorithm\":\"struct\""));
    Answer models = send("GET", BASE + "models/flipped");
    assertTrue(models.body(), models.body().contains("quarantined_engines"));
  }

  public void testInTheEndTheReferenceScores() throws Exception {
    plant(null, 7, engine -> engine != Algorithm.OBJECT);
    start("all");
    put("/_cluster/settings", "{\"persistent\":{\"quickscorer.verify.share\":1}}");
    assertBusy(
        () -> {
          searchIsRight("all", "");
          verifyAll();
          List<?> wrong = (List<?>) model("all").get("quarantined_engines");
          assertTrue(model("all").toString(), wrong != null && wrong.contains("struct+"));
        },
        60,
        TimeUnit.SECONDS);
    assertEquals("object", engine("all"));
    assertStaysRight("all");
  }

  public void testADeviceThatIsWrongIsLeftAlone() throws Exception {
    plant(Algorithm.GPU, 0, Algorithm.GPU::equals);
    start("device");
    assertTrue(engine("device"), engine("device").endsWith("; gpu"));
    searchUntil("device", engine -> !engine.contains("gpu"));
    assertBusy(
        () -> assertTrue(engine("device"), engine("device").contains("bitsliced")),
        60,
        TimeUnit.SECONDS);
    assertEquals(List.of("gpu"), model("device").get("quarantined_engines"));
    assertStaysRight("device");
  }

  public void testTheShareCanBeChanged() throws Exception {
    start("share");
    put("/_cluster/settings", "{\"persistent\":{\"quickscorer.verify.share\":0}}");
    for (int i = 0; i < 5; i++) {
      assertTrue(searchIsRight("share", ""));
    }
    assertEquals(0, verified("share", "windows"));
    put("/_cluster/settings", "{\"persistent\":{\"quickscorer.verify.share\":1}}");
    for (int i = 1; i <= 10; i++) {
      assertTrue(searchIsRight("share", ""));
      verifyAll();
      assertEquals(i, verified("share", "windows"));
    }
    assertEquals(10 * DOCUMENTS, verified("share", "documents"));
    assertEquals(0, verified("share", "mismatches"));
    assertTrue(number(((Map<?, ?>) node().get("verify")).get("time_in_nanos")) > 0);
    Answer refused =
        send("PUT", "/_cluster/settings", "{\"persistent\":{\"quickscorer.verify.share\":1.5}}");
    assertStatus(400, refused);
  }

  /** What is quarantined stays so where a version goes and comes back. */
  public void testADeletedModelTakesNothingAlong() throws Exception {
    plant(null, 3, Algorithm.BIT_SLICED::equals);
    start("back");
    searchUntil("back", engine -> !engine.contains("bitsliced"));
    assertStatus(200, send("DELETE", BASE + "models/back"));
    assertBusy(() -> assertEquals(0, breakerBytes()), 60, TimeUnit.SECONDS);
    put(BASE + "models/back?feature_set=back", MarkedModels.file(7));
    assertTrue(searchIsRight("back", ""));
    assertFalse(engine("back"), engine("back").contains("bitsliced"));
  }
}
