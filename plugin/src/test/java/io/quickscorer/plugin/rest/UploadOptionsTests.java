// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import io.quickscorer.plugin.testing.TestModel;
import io.quickscorer.reader.ModelReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.After;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Uploads that say how a file is to be read: texts of categories, and which model of several. */
@ClusterScope(numDataNodes = 1, supportsDedicatedMasters = false)
public class UploadOptionsTests extends QuickScorerHttpTestCase {
  private static final String PATH = BASE + "models/m";

  @After
  public void deleteModel() throws Exception {
    send("DELETE", PATH);
    send("DELETE", BASE + "feature_sets/fs");
  }

  private static List<String> texts() {
    return List.copyOf(Fixture.categoryTexts().keySet());
  }

  private static TestModel ofTexts(Fixture fixture, String encoding) {
    byte[] file = fixture.model(encoding);
    ReadOptions options =
        new ReadOptions(OptionalInt.empty(), Map.of("1", texts(), "category", texts()), "");
    return new TestModel(
        fixture, file, ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT, options));
  }

  /** The envelope around a file; with parity for all of the fixture's rows if there are lists. */
  private static String envelope(TestModel model, Map<String, List<String>> categories)
      throws IOException {
    Fixture.Cases cases = model.fixture().cases();
    try (XContentBuilder json = XContentFactory.jsonBuilder()) {
      json.startObject().field("feature_set", "fs").field("model_base64", model.file());
      if (!categories.isEmpty()) {
        json.field("categories", categories);
        TestModel.parity(json, cases, cases.raw().length, false);
      }
      return json.endObject().toString();
    }
  }

  public void testCategoriesOfTexts() throws Exception {
    List<String> other = new ArrayList<>(texts());
    Collections.swap(other, 0, 1);
    for (Fixture fixture : Fixture.ofTexts()) {
      Set<Object> versions = new HashSet<>();
      for (String encoding : fixture.encodings()) {
        TestModel model = ofTexts(fixture, encoding);
        assertStatus(200, 201, send("PUT", BASE + "feature_sets/fs", model.featureSet()));
        Map<String, List<String>> lists = Map.of("1", texts(), "category", texts());
        Answer put = send("PUT", PATH, envelope(model, lists));
        assertStatus(200, 201, put);
        assertEquals(put.body(), 0, put.at("parity", "max_ulp"));
        assertEquals(Map.of("1", texts().size(), "category", texts().size()), put.at("categories"));
        assertEquals(put.at("categories"), send("GET", PATH).at("categories"));
        assertTrue(versions.add(put.at("version")));
        assertEquals("noop", send("PUT", PATH, envelope(model, lists)).at("result"));
        Answer swapped = send("PUT", PATH, envelope(model, Map.of("1", other, "category", other)));
        assertRefused("parity: row", swapped);
        assertRefused(
            "invalid_model: categories: the model has no categorical feature [name 3]",
            send("PUT", PATH, envelope(model, Map.of("name 3", texts()))));
      }
    }
    TestModel oneHot = ofTexts(Fixture.ofTexts().getLast(), "cbm");
    assertRefused(
        "or give the texts of the categories by the option categories",
        send("PUT", PATH, envelope(oneHot, Map.of())));
  }

  public void testCategoriesThatAreNone() throws Exception {
    String text = TestModel.LIGHTGBM.envelope("fs", 1, false);
    assertStatus(200, 201, send("PUT", BASE + "feature_sets/fs", TestModel.LIGHTGBM.featureSet()));
    Map<String, String> messages =
        Map.of(
            "[]", "categories: expected an object",
            "{\"a\":1}", "categories.a: expected an array",
            "{\"a\":[\"x\",1]}", "categories.a[1]: expected a string",
            "{\"a\":[\"x\",\"y\",\"x\"]}", "categories.a[2]: the list contains the same text twice",
            "{\"a\":[\"\\ud800\"]}", "categories.a[0]: the text is not valid Unicode: character 1",
            "{\"a\":[\"x\"]}", "invalid_model: categories: texts of categories are only supported");
    for (Map.Entry<String, String> message : messages.entrySet()) {
      String body = "{\"categories\":" + message.getKey() + "," + text.substring(1);
      assertRefused(message.getValue(), send("PUT", PATH, body));
    }
  }

  public void testOneModelOfAStore() throws Exception {
    TestModel trees = TestModel.of("solr-8.11.4", "trees_depth_4", "json");
    TestModel linear = TestModel.of("solr-8.11.4", "linear_plain", "json");
    String store = "{\"initArgs\":{},\"managedList\":[" + trees.text() + "," + linear.text() + "]}";
    assertStatus(200, 201, send("PUT", BASE + "feature_sets/fs", trees.featureSet()));
    assertRefused(
        "the store has 2 models; choose one of [trees_depth_4, linear_plain]",
        send("PUT", PATH + "?feature_set=fs", store));
    assertRefused(
        "not exactly one model has this name",
        send("PUT", PATH + "?feature_set=fs&model_name=x", store));
    assertRefused("parameter [model_name] needs", send("PUT", PATH + "?model_name=x", store));
    assertRefused(
        "the file contains a single model",
        send("PUT", PATH + "?feature_set=fs&model_name=linear_plain", linear.text()));
    assertRefused(
        "model: a name is only supported for Solr model stores",
        send("PUT", PATH + "?feature_set=fs&model_name=x", TestModel.LIGHTGBM.text()));

    Set<Object> versions = new HashSet<>();
    for (TestModel model : List.of(trees, linear)) {
      String name = model.fixture().name();
      Answer put = send("PUT", PATH + "?feature_set=fs&model_name=" + name, store);
      assertStatus(200, 201, put);
      assertEquals(name, put.at("model_name"));
      assertEquals(name, send("GET", PATH).at("model_name"));
      assertTrue(versions.add(put.at("version")));
      try (XContentBuilder json = XContentFactory.jsonBuilder()) {
        json.startObject().field("feature_set", "fs").field("model", store);
        json.field("model_name", name);
        Fixture.Cases cases = model.fixture().cases();
        TestModel.parity(json, cases, cases.raw().length, false);
        Answer again = send("PUT", PATH, json.endObject().toString());
        assertEquals(again.body(), 0, again.at("parity", "max_ulp"));
        assertEquals("noop", again.at("result"));
      }
    }
  }

  private static void assertStatus(int one, int other, Answer answer) {
    assertTrue(answer.body(), answer.status() == one || answer.status() == other);
  }

  private static void assertRefused(String message, Answer answer) {
    assertStatus(400, answer);
    assertTrue(answer.body(), answer.body().contains(message));
  }
}
