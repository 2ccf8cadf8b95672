// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.fixtures.Fixture;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import io.quickscorer.plugin.testing.TestModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.After;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Models whose files say what their categories' codes stand for, and sets that say otherwise. */
@ClusterScope(numDataNodes = 1, supportsDedicatedMasters = false)
public class CategoryListTests extends QuickScorerHttpTestCase {
  private static final String MODEL = BASE + "models/m";
  private static final String SET = BASE + "feature_sets/fs";

  /** The fixtures' own list, and numbers that are not codes. */
  private static final List<String> COLOURS =
      List.of("rot", "grün", "a \"b\" \\ c", "weiß", "green", "x,y", "blue", "дым", "red");

  private static final List<Integer> SIZES = List.of(40, 10, 20, 30, 50, 80, 1_700_000_001);

  @After
  public void deleteModel() throws Exception {
    send("DELETE", MODEL);
    send("DELETE", SET);
    send("DELETE", "/goods");
  }

  private static void assertStored(Answer answer) {
    assertTrue(answer.body(), answer.status() == 200 || answer.status() == 201);
  }

  private static void assertRefused(String message, Answer answer) {
    assertStatus(400, answer);
    assertTrue(
        answer.body(), answer.body().contains(message.replace("\\", "\\\\").replace("\"", "\\\"")));
  }

  private static Map<String, Object> field(String name, String key, Object value) {
    Map<String, Object> field = new TreeMap<>(Map.of("name", name, "type", "field", "field", name));
    if (!key.isEmpty()) {
      field.put(key, value);
    }
    return field;
  }

  private static String json(Object value) throws IOException {
    try (XContentBuilder json = XContentFactory.jsonBuilder()) {
      return json.value(value).toString();
    }
  }

  /** Stores the set of a price and these two features. */
  private void putSet(Map<String, Object> colour, Map<String, Object> size) throws Exception {
    List<Object> features = List.of(field("price", "", ""), colour, size);
    assertStored(send("PUT", SET, json(Map.of("features", features))));
  }

  private Answer upload(Fixture fixture, String encoding, Map<String, Object> options)
      throws Exception {
    Map<String, Object> body = new TreeMap<>(options);
    body.put("feature_set", "fs");
    body.put("model_base64", Base64.getEncoder().encodeToString(fixture.model(encoding)));
    return send("PUT", MODEL, json(body));
  }

  private static Map<String, Object> own(String name) {
    return field(name, "categories", "model");
  }

  /** The fixture's rows as documents of values. */
  private void index(Fixture fixture) throws Exception {
    String mapping =
        """
        {"settings": {"number_of_shards": 2, "number_of_replicas": 0},
         "mappings": {"properties": {"row": {"type": "integer"}, "price": {"type": "float"},
           "colour": {"type": "keyword"}, "size": {"type": "long"}, "code": {"type": "long"}}}}
        """;
    assertStatus(200, send("PUT", "/goods", mapping));
    StringBuilder bulk = new StringBuilder();
    List<String> lines = fixture.values();
    for (int row = 0; row < lines.size() - 1; row++) {
      String[] fields = lines.get(row + 1).split("\t", -1);
      Map<String, Object> document = new TreeMap<>();
      document.put("row", row);
      document.put("price", Float.valueOf(fields[0]));
      if (!fields[1].isEmpty()) {
        document.put(
            "colour", fields[1].substring(1, fields[1].length() - 1).replace("\"\"", "\""));
      }
      if (!fields[2].isEmpty()) {
        document.put("size", Long.valueOf(fields[2]));
        document.put("code", SIZES.indexOf(Integer.valueOf(fields[2])));
      }
      bulk.append("{\"index\":{\"_id\":\"").append(row).append("\"}}\n");
      bulk.append(json(document)).append('\n');
    }
    Answer indexed = send("POST", "/goods/_bulk?refresh=true", bulk.toString());
    assertStatus(200, indexed);
    assertEquals(indexed.body(), false, indexed.at("errors"));
  }

  /** The score of each row. */
  private double[] scores(int rows) throws Exception {
    String search =
        """
        {"size": %d, "_source": false, "query": {"match_all": {}},
         "rescore": {"window_size": %d, "quickscorer": {"model": "m"}}}
        """;
    Answer found = send("POST", "/goods/_search", search.replace("%d", Integer.toString(rows)));
    assertStatus(200, found);
    double[] scores = new double[rows];
    List<?> hits = (List<?>) found.at("hits", "hits");
    assertEquals(rows, hits.size());
    for (Object hit : hits) {
      Map<?, ?> of = (Map<?, ?>) hit;
      scores[Integer.parseInt((String) of.get("_id"))] = ((Number) of.get("_score")).doubleValue();
    }
    return scores;
  }

  private void assertScores(Fixture fixture, String message) throws Exception {
    double[] expected = fixture.cases().raw();
    double[] scores = scores(expected.length);
    for (int row = 0; row < scores.length; row++) {
      assertEquals(message + ", row " + row, (float) expected[row], (float) scores[row], 0);
    }
  }

  public void testTheModelsOwnLists() throws Exception {
    index(Fixture.ofCategories().getFirst());
    for (Fixture fixture : Fixture.ofCategories()) {
      for (String encoding : fixture.encodings()) {
        putSet(own("colour"), own("size"));
        Answer put = upload(fixture, encoding, Map.of());
        assertStored(put);
        assertNull(put.body(), put.at("warnings"));
        assertEquals(9, put.at("category_lists", "colour", "values"));
        assertEquals(COLOURS.subList(0, 5), put.at("category_lists", "colour", "first"));
        assertEquals(true, put.at("category_lists", "size", "mapped"));
        assertScores(fixture, fixture + " " + encoding);
        assertEquals(put.at("category_lists"), send("GET", MODEL).at("category_lists"));
        // The same lists, written out.
        putSet(field("colour", "categories", COLOURS), field("size", "categories", SIZES));
        Answer written = upload(fixture, encoding, Map.of());
        assertStored(written);
        assertEquals(put.at("version"), written.at("version"));
      }
    }
  }

  public void testListsThatAreNotTheFiles() throws Exception {
    List<String> other = new ArrayList<>(COLOURS);
    other.set(6, "red");
    other.set(8, "blue");
    Fixture fixture = Fixture.ofCategories().getFirst();
    index(fixture);
    putSet(field("colour", "categories", other), own("size"));
    assertRefused(
        "feature [colour]: the model's file has a category list for [colour], [rot, grün, a \"b\""
            + " \\ c, weiß, green, …] of 9, and expects indices in this list, from 0; [categories]"
            + " differs from this list: [red] has index 6; set [categories] to [model] in the"
            + " feature set, or, if the difference is intended, upload the model with"
            + " [category_mismatch] set to [accept]",
        upload(fixture, "txt", Map.of()));
    assertStatus(404, send("GET", MODEL));
    Answer accepted = upload(fixture, "txt", Map.of("category_mismatch", "accept"));
    assertStatus(201, accepted);
    assertEquals(1, ((List<?>) accepted.at("warnings")).size());
    assertTrue(accepted.body(), accepted.at("warnings").toString().contains("[red] has index 6"));
    assertEquals(false, accepted.at("category_lists", "colour", "mapped"));
    // The same file and set again, not accepted: it is no noop.
    assertRefused("[categories] differs from this list", upload(fixture, "txt", Map.of()));
    double[] right = fixture.cases().raw();
    double[] wrong = scores(right.length);
    long differing =
        IntStream.range(0, right.length).filter(row -> (float) right[row] != wrong[row]).count();
    assertTrue("rows of red and blue: " + differing, differing > 10);
    for (Object list :
        List.of(COLOURS.subList(0, 8), List.of("rot"), List.of(0, 1, 2, 3, 4, 5, 6, 7, 8))) {
      putSet(field("colour", "categories", list), own("size"));
      assertRefused("[categories] differs from this list", upload(fixture, "txt", Map.of()));
    }
    assertRefused(
        "category_mismatch: found [yes], expected [refuse] or [accept]",
        upload(fixture, "txt", Map.of("category_mismatch", "yes")));
  }

  public void testNumbersThatAreNotCodes() throws Exception {
    Fixture fixture = Fixture.ofCategories().getLast();
    index(fixture);
    putSet(own("colour"), field("size", "", ""));
    assertRefused(
        "the feature returns the field's number itself", upload(fixture, "ubj", Map.of()));
    putSet(own("colour"), field("size", "hash", 100));
    assertRefused("the feature returns a hash", upload(fixture, "ubj", Map.of()));
    // A field of codes, which the upload says it is.
    Map<String, Object> codes = field("size", "", "");
    codes.put("field", "code");
    putSet(own("colour"), codes);
    assertStatus(201, upload(fixture, "ubj", Map.of("category_mismatch", "accept")));
    assertScores(fixture, "codes");
    // What no list can be held against is told.
    putSet(own("colour"), Map.of("name", "size", "type", "param", "param", "size", "default", 1));
    Answer param = upload(fixture, "json", Map.of());
    assertStored(param);
    assertTrue(
        param.body(),
        param.at("warnings").toString().contains("type [param] must return these indices itself"));
  }

  public void testNoListOfThatFeature() throws Exception {
    List<Object> features = new ArrayList<>();
    for (String name : List.of("beta", "gamma", "delta", "epsilon", "category")) {
      features.add(field(name, "", ""));
    }
    features.add(own("alpha"));
    assertStatus(201, send("PUT", SET, json(Map.of("features", features))));
    assertRefused(
        "feature [alpha]: [categories] is [model], but the model's file has no category list",
        upload(TestModel.LIGHTGBM.fixture(), "txt", Map.of()));
    putSet(own("colour"), own("size"));
    index(Fixture.ofCategories().getFirst());
    Answer logged =
        send(
            "POST",
            "/goods/_search",
            """
            {"query": {"match_all": {}},
             "rescore": {"window_size": 9, "quickscorer": {"feature_set": "fs", "log": true}}}
            """);
    assertRefused(
        "feature [colour]: [categories] is [model], but the request has no model", logged);
  }
}
