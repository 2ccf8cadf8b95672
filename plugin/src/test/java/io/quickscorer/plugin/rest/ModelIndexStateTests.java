// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.model.store.Catalogue;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.test.MockLogAppender;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** The hidden index when it can't serve: a 503 that says so, whatever is asked. */
@ClusterScope(
    scope = Scope.TEST,
    numDataNodes = 1,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
public class ModelIndexStateTests extends QuickScorerHttpTestCase {
  private static final String PATH = "/" + ModelIndex.NAME;

  private void assertUnavailable(String why, String method, String path, String body)
      throws Exception {
    Answer answer = body.isEmpty() ? send(method, path) : send(method, path, body);
    String where = method + " " + path + ": " + answer.body();
    assertEquals(where, 503, answer.status());
    assertThat(where, answer.body(), containsString(why));
    assertEquals(where, "1", answer.retryAfter());
  }

  /**
   * @param models whether there are any
   */
  private void assertReadsUnavailable(String why, boolean models) throws Exception {
    assertUnavailable(why, "GET", BASE + "feature_sets", "");
    assertUnavailable(why, "GET", BASE + "feature_sets/f", "");
    if (models) {
      assertUnavailable(why, "GET", BASE + "models", "");
      assertUnavailable(why, "GET", BASE + "_export", "");
    }
    assertUnavailable(
        why, "POST", "/d/_search", MarkedModels.search("\"feature_set\":\"f\"", 0, 10, 10));
  }

  private void assertWritesUnavailable(String why) throws Exception {
    assertUnavailable(why, "PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET);
    assertUnavailable(why, "DELETE", BASE + "feature_sets/f", "");
    assertUnavailable(why, "PUT", BASE + "models/n?feature_set=f", MarkedModels.file(3));
  }

  private void createDocuments() throws Exception {
    MarkedModels.createIndex(
        (method, path, body) -> assertEquals(200, send(method, path, body).status()), "d", 1, 10);
  }

  private void begin() throws Exception {
    createDocuments();
    assertStatus(201, send("PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET));
    assertStatus(201, send("PUT", BASE + "models/m?feature_set=f", MarkedModels.file(7)));
  }

  public void testMadeByHand() throws Exception {
    createDocuments();
    createIndex(ModelIndex.NAME);
    String why = "this plugin did not create the index";
    assertReadsUnavailable(why, false);
    assertWritesUnavailable(why);
    assertStatus(200, send("DELETE", PATH));
    assertStatus(201, send("PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET));
  }

  public void testClosed() throws Exception {
    begin();
    client().admin().indices().prepareClose(ModelIndex.NAME).get();
    assertReadsUnavailable("the index is closed; open it", true);
    assertWritesUnavailable("the index is closed; open it");
    client().admin().indices().prepareOpen(ModelIndex.NAME).get();
    assertStatus(200, send("PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET));
  }

  public void testBlocked() throws Exception {
    begin();
    for (String block : List.of("read", "write", "read_only", "read_only_allow_delete")) {
      block(block, true);
      if (block.equals("read")) {
        assertReadsUnavailable("cannot be used", true);
      } else {
        assertUnavailable(
            "cannot be used", "PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET);
      }
      block(block, false);
    }
    Answer found = send("POST", "/d/_search", MarkedModels.search("m", 10));
    assertStatus(200, found);
    assertEquals(Set.of(7), MarkedModels.marks(found.json()));
  }

  private static void block(String block, boolean set) {
    Settings.Builder settings = Settings.builder();
    if (set) {
      settings.put("index.blocks." + block, true);
    } else {
      settings.putNull("index.blocks." + block);
    }
    client().admin().indices().prepareUpdateSettings(ModelIndex.NAME).setSettings(settings).get();
  }

  /** What a later build wrote is neither taken in nor lost, and the log says so. */
  public void testLaterCatalogue() throws Exception {
    begin();
    Map<String, Object> later = Map.of("schema", 99, "metadata", Map.of("models", "another form"));
    try (XContentBuilder body = JsonXContent.contentBuilder();
        MockLogAppender log =
            MockLogAppender.createForLoggers(LogManager.getLogger(Catalogue.class))) {
      log.addExpectation(
          new MockLogAppender.PatternSeenEventExpectation(
              "later",
              Catalogue.class.getName(),
              Level.WARN,
              "could not import models from the index of models.*has schema 99 of a newer"
                  + " build.*"));
      body.map(Map.of("doc", later, "detect_noop", false));
      assertStatus(200, send("POST", PATH + "/_update/catalogue", body.toString()));
      String catalogue = send("GET", PATH + "/_doc/catalogue").body();
      Answer put = send("PUT", BASE + "models/n?feature_set=f", MarkedModels.file(3));
      assertStatus(201, put);
      assertEquals("no backup has it", false, put.at("acknowledged"));
      assertEquals(catalogue, send("GET", PATH + "/_doc/catalogue").body());
      log.assertAllExpectationsMatched();
    }
    Answer found = send("POST", "/d/_search", MarkedModels.search("m", 10));
    assertEquals(Set.of(7), MarkedModels.marks(found.json()));
  }
}
