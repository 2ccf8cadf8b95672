// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Documents of the bundled learning-to-rank plugin's store, posted as its API answers with them:
 * field by field what it writes, templates as objects and as strings, definitions likewise,
 * normalisers and all. The features are constants, so that every score is known.
 */
final class ImportIT {
  private static final String ROOT = "/_plugins/_quickscorer";
  private static final String INDEX = "import";
  private static final JsonMapper JSON = new JsonMapper();

  private static final String SET =
      """
      {"name": "movie_features", "features": [
        {"name": "title", "params": ["keywords"], "template_language": "mustache",
         "template": {"constant_score": {"filter": {"match": {"title": "{{keywords}}"}}, "boost": 2.0}}},
        {"name": "votes", "params": [], "template_language": "mustache",
         "template": "{\\"function_score\\": {\\"field_value_factor\\": {\\"field\\": \\"votes\\"}, \\"query\\": {\\"exists\\": {\\"field\\": \\"votes\\"}}, \\"boost_mode\\": \\"replace\\"}}"},
        {"name": "both", "params": ["weight"], "template_language": "derived_expression",
         "template": "title * weight + votes"}]}\
      """;

  private static NodeClient client;

  @BeforeAll
  static void putDocuments() throws Exception {
    client = SharedNode.get().client();
    client.put("/" + INDEX, "{\"settings\": {\"number_of_replicas\": 0}}");
    client.put("/" + INDEX + "/_doc/a", "{\"title\": \"rambo\", \"votes\": 10}");
    client.put("/" + INDEX + "/_doc/b", "{\"title\": \"rocky\", \"votes\": 30}");
    client.put("/" + INDEX + "/_doc/c?refresh=true", "{\"title\": \"rambo two\"}");
  }

  /** What {@code GET _ltr/_featureset/NAME} or {@code GET _ltr/_model/NAME} answers. */
  private static String stored(String type, String name, String element) {
    return """
    {"_index": ".ltrstore", "_id": "%s-%s", "_version": 3, "_seq_no": 17, "_primary_term": 1, "found": true,
     "_source": {"name": "%s", "type": "%s", "%s": %s}}
    """
        .formatted(type, name, name, type, type, element);
  }

  private static String model(String name, String type, String definition, String normalizers) {
    return stored(
        "model",
        name,
        """
        {"name": "%s", "feature_set": %s,
         "model": {"type": "%s", "definition": %s, "feature_normalizers": %s}}
        """
            .formatted(name, SET, type, definition, normalizers));
  }

  /** Scores by document of a search with an imported model. */
  private static Map<String, Float> scores(String model) {
    JsonNode found =
        client.post(
            "/" + INDEX + "/_search",
            """
            {"rescore": {"quickscorer": {"model": "%s", "params": {"keywords": "rambo", "weight": 100}}}}
            """
                .formatted(model));
    Map<String, Float> scores = new TreeMap<>();
    for (JsonNode hit : found.at("/hits/hits")) {
      scores.put(hit.get("_id").asString(), hit.get("_score").floatValue());
    }
    return scores;
  }

  @Test
  void featureSetIsTakenOverAndExtractsWhatItDidThere() {
    NodeClient.Answer imported =
        client.send(
            "POST", ROOT + "/_import?name=incumbent", stored("featureset", "movie_features", SET));
    assertEquals(201, imported.status(), imported.body()::toString);
    assertEquals(3, imported.body().at("/feature_set/features").asInt());
    JsonNode found =
        client.post(
            "/" + INDEX + "/_search",
            """
            {"rescore": {"quickscorer": {"feature_set": "incumbent", "params": {"keywords": "rambo", "weight": 100}}}}
            """);
    Map<String, String> features = new TreeMap<>();
    for (JsonNode hit : found.at("/hits/hits")) {
      features.put(hit.get("_id").asString(), hit.at("/fields/_quickscorer/0/features").toString());
    }
    assertEquals(
        Map.of("a", "[2.0,10.0,210.0]", "b", "[0.0,30.0,30.0]", "c", "[2.0,0.0,200.0]"), features);
  }

  private static String migrate(String store) throws Exception {
    return Program.run(
        Path.of("."),
        "",
        "sh",
        "../../scorer-core/bin/quickscorer",
        "migrate",
        "--cluster",
        SharedNode.get().address().toString(),
        "--store",
        store);
  }

  @Test
  void wholeStoresAreMigrated() throws Exception {
    client.put(
        "/.ltrstore_it",
        "{\"mappings\": {\"dynamic\": false, \"properties\": {\"name\": {\"type\": \"keyword\"},"
            + " \"type\": {\"type\": \"keyword\"}}}}");
    for (String name : List.of("migrated_a", "Migrated_B")) {
      JsonNode document =
          JSON.readTree(
              model(name, "model/xgboost+json", TREES, "{}")
                  .replace("movie_features", "migrated_set"));
      client.put("/.ltrstore_it/_doc/model-" + name, document.get("_source").toString());
    }
    JsonNode set =
        JSON.readTree(
            stored("featureset", "migrated_set", SET.replace("movie_features", "migrated_set")));
    client.put(
        "/.ltrstore_it/_doc/featureset-migrated_set?refresh=true", set.get("_source").toString());
    String said = migrate("it");
    assertTrue(said.contains("feature set migrated_set: created"), said);
    // Its trees decide on missing values, so that its features differ from those of the set.
    assertTrue(
        said.contains("model Migrated_B as migrated_b: created, over feature set migrated_b"),
        said);
    assertEquals(Map.of("a", 8.5f, "b", 4.25f, "c", 8.25f), scores("migrated_a"));
    assertEquals(scores("migrated_a"), scores("migrated_b"));
    String again = migrate("it");
    assertTrue(again.contains("feature set migrated_set: exists already"), again);
    assertTrue(again.contains("model migrated_a: exists already"), again);
    client.put(
        "/.ltrstore_it/_doc/featureset-scripted?refresh=true",
        """
        {"name": "scripted", "type": "featureset", "featureset": {"name": "scripted", "features": [
          {"name": "age", "params": [], "template_language": "script_feature", "template": {}}]}}
        """);
    String refused = assertThrows(IOException.class, () -> migrate("it")).getMessage();
    assertTrue(refused.contains("] ended with status 1: "), refused);
    assertTrue(
        refused.contains("feature set scripted: refused: ") && refused.contains("[age]"), refused);
    assertTrue(
        refused.contains("model Migrated_B as migrated_b: exists already"),
        "the others are not held up");
  }

  private static final String TREES =
      """
      [{"nodeid": 0, "depth": 0, "split": "votes", "split_condition": 20, "yes": 1, "no": 2, "missing": 2,
        "children": [{"nodeid": 1, "leaf": 0.5}, {"nodeid": 2, "leaf": 0.25}]},
       {"nodeid": 0, "depth": 0, "split": "title", "split_condition": 1, "yes": 1, "no": 2, "missing": 1,
        "children": [{"nodeid": 1, "leaf": 4}, {"nodeid": 2, "leaf": 8}]}]\
      """;

  private static final String RANKLIB =
      """
      ## LambdaMART
      ## No. of trees = 1
      <ensemble>
       <tree id="1" weight="0.5">
        <split>
         <feature> 2 </feature>
         <threshold> 20.0 </threshold>
         <split pos="left"><output> 3.0 </output></split>
         <split pos="right"><output> 7.0 </output></split>
        </split>
       </tree>
      </ensemble>
      """;

  static Stream<Arguments> models() {
    Map<String, Float> trees = Map.of("a", 8.5f, "b", 4.25f, "c", 8.25f);
    return Stream.of(
        Arguments.of("model/xgboost+json", quoted(TREES), "{}", trees),
        Arguments.of("model/xgboost+json", TREES, "{}", trees),
        Arguments.of(
            "model/xgboost+json",
            "{\"objective\": \"rank:ndcg\", \"splits\": " + TREES + "}",
            "{}",
            trees),
        // (10 - 5) / 0.2 = 25 is no longer below 20.
        Arguments.of(
            "model/xgboost+json",
            quoted(TREES),
            "{\"votes\": {\"standard\": {\"mean\": 5.0, \"standard_deviation\": 0.2}}}",
            Map.of("a", 8.25f, "b", 4.25f, "c", 8.25f)),
        // What is missing is 0 to these two, as it is there.
        Arguments.of(
            "model/linear",
            "{\"title\": 3.0, \"votes\": 0.5}",
            "{\"votes\": {\"min_max\": {\"minimum\": 10.0, \"maximum\": 30.0}}}",
            Map.of("a", 6f, "b", 0.5f, "c", 6f - 0.25f)),
        Arguments.of(
            "model/ranklib", quoted(RANKLIB), "{}", Map.of("a", 1.5f, "b", 3.5f, "c", 1.5f)));
  }

  private static String quoted(String text) {
    return JSON.writeValueAsString(text);
  }

  @ParameterizedTest
  @MethodSource("models")
  void modelIsTakenOverAndScoresWhatItDidThere(
      String type, String definition, String normalizers, Map<String, Float> expected) {
    String document = model("incumbent-model", type, definition, normalizers);
    NodeClient.Answer imported = client.send("POST", ROOT + "/_import", document);
    assertEquals(201, imported.status(), imported.body()::toString);
    assertEquals("movie_features", imported.body().at("/feature_set/name").asString());
    assertEquals(expected, scores("incumbent-model"));
    client.call("DELETE", ROOT + "/models/incumbent-model", "");
    client.call("DELETE", ROOT + "/feature_sets/movie_features", "");
  }

  @Test
  void whatHasNoCounterpartIsRefusedAndLeavesNothing() {
    String script =
        SET.replace("\"derived_expression\"", "\"script_feature\"")
            .replace("movie_features", "scripted");
    for (String document :
        List.of(
            stored("featureset", "scripted", script),
            model("scripted", "model/linear", "{\"title\": 1}", "{}").replace(SET, script))) {
      NodeClient.Answer refused = client.send("POST", ROOT + "/_import", document);
      assertEquals(400, refused.status(), refused.body()::toString);
      assertTrue(refused.body().toString().contains("feature [both]"), refused.body()::toString);
    }
    assertEquals(404, client.send("GET", ROOT + "/feature_sets/scripted", "").status());
    assertFalse(client.get(ROOT + "/models").toString().contains("scripted"));
  }
}
