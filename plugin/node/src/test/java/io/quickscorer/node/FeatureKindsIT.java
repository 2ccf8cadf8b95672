// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Every kind of feature that the documentation lists, defined, bound and logged over HTTP. */
final class FeatureKindsIT {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String SETS = "/_plugins/_quickscorer/feature_sets/";
  private static final String[] INDICES = {"kinds1", "kinds3"};
  private static final String MAPPINGS =
      """
      {"properties": {
        "title": {"type": "text"}, "brand": {"type": "keyword"}, "price": {"type": "double"},
        "listed": {"type": "boolean"}, "released": {"type": "date"}, "place": {"type": "geo_point"},
        "meaning": {"type": "quickscorer_vector", "dimension": 3},
        "parts": {"type": "nested", "properties": {"colour": {"type": "keyword"}}},
        "relation": {"type": "join", "relations": {"film": "review"}}}}
      """;
  private static final String[] DOCUMENTS = {
    """
    {"title": "the red ship and the red sea", "brand": ["b", "a"], "price": [3.5, -1.25, 2.0],
     "listed": true, "released": "1970-01-02", "place": ["52.0,13.0", "48.5,2.25"],
     "meaning": [1, 2, 2], "parts": [{"colour": "red"}, {"colour": "blue"}, {"colour": "red"}],
     "relation": "film"}
    """,
    """
    {"title": "red", "brand": "c", "price": 0.5, "listed": false, "released": "2026-01-01T00:00:01Z",
     "place": "-33.5,151.0", "meaning": [0, -4, 3], "parts": {"colour": "red"}, "relation": "film"}
    """,
    """
    {"title": "a ship"}
    """,
    """
    {"brand": "zebra", "price": 8}
    """
  };

  private static NodeClient client;

  @BeforeAll
  static void putDocumentsOnTheNode() throws Exception {
    client = SharedNode.get().client();
    for (String index : INDICES) {
      client.put(
          "/" + index,
          "{\"settings\": {\"number_of_replicas\": 0, \"number_of_shards\": %s}, \"mappings\": %s}"
              .formatted(index.substring(5), MAPPINGS));
      for (int i = 0; i < DOCUMENTS.length; i++) {
        client.put("/" + index + "/_doc/" + i, DOCUMENTS[i]);
      }
      // A review of document 0, which a search must not find by itself.
      client.put(
          "/" + index + "/_doc/review?routing=0",
          "{\"listed\": true, \"relation\": {\"name\": \"review\", \"parent\": \"0\"}}");
      client.post("/" + index + "/_refresh", "");
    }
    client.put("/lookup/_doc/1?refresh=true", "{\"brands\": [\"c\", \"zebra\"]}");
  }

  private static ObjectNode clause(String params) {
    ObjectNode body = JSON.createObjectNode();
    body.putObject("query").putObject("ids").putArray("values").add("0").add("1").add("2").add("3");
    ObjectNode clause = body.putObject("rescore").put("window_size", 100).putObject("quickscorer");
    clause.put("feature_set", "kinds").put("log", true).set("params", JSON.readTree(params));
    return body;
  }

  /** The only feature of the set, by id of the document; NaN for null. */
  private static Map<String, Double> values(
      String index, String type, String feature, String params) {
    client.put(SETS + "kinds", "{\"features\": [" + feature + "]}");
    JsonNode answer =
        client.post("/" + index + "/_search?search_type=" + type, clause(params).toString());
    Map<String, Double> values = new LinkedHashMap<>();
    for (JsonNode hit : answer.at("/hits/hits")) {
      JsonNode value = hit.at("/fields/_quickscorer/0/features/0");
      values.put(hit.get("_id").asString(), value.isNull() ? Double.NaN : value.asDouble());
    }
    return values;
  }

  private static final double NONE = Double.NaN;

  static Stream<Arguments> kinds() {
    String q = "{\"q\": \"RED ship, sail red\"}";
    String terms = "'type': 'term_statistics', 'field': 'title', 'text': '{{q}}', ";
    return Stream.of(
        kind("'type': 'field', 'field': 'price', 'mode': 'avg'", "{}", 4.25 / 3, 0.5, NONE, 8),
        kind("'type': 'field', 'field': 'price', 'mode': 'count'", "{}", 3, 1, 0, 1),
        kind("'type': 'field', 'field': 'listed', 'missing': 0.5", "{}", 1, 0, 0.5, 0.5),
        kind("'type': 'field', 'field': 'released'", "{}", 86_400_000, 1767225601000., NONE, NONE),
        kind("'type': 'field', 'field': 'brand', 'categories': ['c', 'b']", "{}", 1, 0, NONE, NONE),
        kind(
            "'type': 'field', 'field': 'price', 'normalize': 'log1p'",
            "{}",
            NONE,
            Math.log1p(0.5),
            NONE,
            Math.log1p(8)),
        kind(
            "'type': 'field', 'field': 'price', 'mode': 'max', 'normalize': [{'clip': {'max': 4}},"
                + " {'min_max': {'min': 0, 'max': 8}}, {'z_score': {'mean': 0.5,"
                + " 'standard_deviation': 2}}]",
            "{}",
            (3.5 / 8 - 0.5) / 2,
            (0.5 / 8 - 0.5) / 2,
            NONE,
            0),
        kind(
            "'type': 'expression', 'expression': '(params.now - field.released) / 1000'",
            "{\"now\": 1767225602500}",
            1767139202.5,
            1.5,
            NONE,
            NONE),
        kind(terms + "'statistic': 'df', 'aggregate': 'sum'", q, 4, 4, 4, 4),
        kind(terms + "'statistic': 'ttf', 'aggregate': 'max'", q, 3, 3, 3, 3),
        kind(terms + "'statistic': 'idf', 'aggregate': 'min'", q, IDF, IDF, IDF, IDF),
        kind(terms + "'statistic': 'tf', 'aggregate': 'sum'", q, 3, 1, 1, 0),
        kind(terms + "'statistic': 'position', 'aggregate': 'max'", q, 5, 0, 1, NONE),
        kind(
            "'type': 'script', 'script': {'source': 'params.a * params.b + _score', 'params': {'a':"
                + " 2}}",
            // The script's own parameter stays; the request gives the other.
            "{\"a\": 9, \"b\": 10}",
            21,
            21,
            21,
            21),
        kind(vector("dot"), V, 5, -8, NONE, NONE),
        kind(vector("cosine"), V, 5 / (3 * Math.sqrt(5)), -8 / (5 * Math.sqrt(5)), NONE, NONE),
        kind(vector("l2"), V, 2, Math.sqrt(1 + 36 + 9), NONE, NONE),
        kind(
            query(
                "{'nested': {'path': 'parts', 'score_mode': 'sum', 'query': {'constant_score':"
                    + " {'filter': {'term': {'parts.colour': '{{q}}'}}, 'boost': 4}}}}"),
            "{\"q\": \"red\"}",
            8,
            4,
            NONE,
            NONE),
        kind(
            query(
                "{'has_child': {'type': 'review', 'score_mode': 'max', 'query': {'constant_score':"
                    + " {'filter': {'term': {'listed': true}}, 'boost': 7}}}}"),
            "{}",
            7,
            NONE,
            NONE,
            NONE),
        kind(
            query("{'terms': {'brand': {'index': 'lookup', 'id': '{{id}}', 'path': 'brands'}}}"),
            "{\"id\": \"1\"}",
            NONE,
            1,
            NONE,
            1));
  }

  private static final String V = "{\"v\": [1, 2, 0]}";

  private static String vector(String similarity) {
    return "'type': 'vector', 'field': 'meaning', 'param': 'v', 'similarity': '" + similarity + "'";
  }

  private static String query(String query) {
    return "'type': 'query', 'query': " + query;
  }

  /** Of a term that two of three titles have. */
  private static final double IDF = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));

  private static Arguments kind(String feature, String params, double... expected) {
    return Arguments.of(
        "{'name': 'f', %s}".formatted(feature).replace('\'', '"'), params, expected);
  }

  /** With counts of all shards a document's features don't depend on how many there are. */
  @ParameterizedTest
  @MethodSource("kinds")
  void valuesAreThose(String feature, String params, double[] expected) {
    float[] wanted = new float[expected.length];
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = (float) expected[i];
    }
    assertArrayEquals(wanted, column(values("kinds1", "query_then_fetch", feature, params)));
    for (String index : INDICES) {
      assertArrayEquals(wanted, column(values(index, "dfs_query_then_fetch", feature, params)));
    }
  }

  private static float[] column(Map<String, Double> values) {
    float[] column = new float[DOCUMENTS.length];
    for (int i = 0; i < column.length; i++) {
      column[i] = values.get(Integer.toString(i)).floatValue();
    }
    return column;
  }

  /** The server's own sort by distance is the oracle. */
  @Test
  void distancesAreThoseOfASortByDistance() {
    String feature =
        """
        {"name": "far", "type": "field", "field": "place", "distance_from": "here", "unit": "km"}
        """;
    String here = "{\"lat\": 52.5, \"lon\": 13.5}";
    Map<String, Double> values =
        values("kinds1", "query_then_fetch", feature, "{\"here\": " + here + "}");
    JsonNode sorted =
        client.post(
            "/kinds1/_search",
            "{\"query\": {\"exists\": {\"field\": \"place\"}}, \"sort\": [{\"_geo_distance\":"
                + " {\"place\": "
                + here
                + ", \"unit\": \"km\"}}]}");
    assertEquals(2, sorted.at("/hits/hits").size());
    for (JsonNode hit : sorted.at("/hits/hits")) {
      float distance = (float) hit.at("/sort/0").asDouble();
      assertEquals(distance, values.get(hit.get("_id").asString()).floatValue());
    }
  }

  /** The model tests the expression alone, so that nothing but the explanation needs its inputs. */
  @Test
  void explanationShowsWhatAnExpressionReads() {
    client.put(
        SETS + "explained",
        """
        {"features": [{"name": "price", "type": "field", "field": "price", "mode": "max"},
          {"name": "mix", "type": "expression", "expression": "price * params.w - field.price"}]}
        """);
    client.put(
        "/_plugins/_quickscorer/models/explained?feature_set=explained",
        """
        [{"nodeid": 0, "split": "mix", "split_condition": 5, "yes": 1, "no": 2, "missing": 1,
          "children": [{"nodeid": 1, "leaf": 0.5}, {"nodeid": 2, "leaf": 2}]}]
        """);
    ObjectNode body = clause("{\"w\": 3}").put("explain", true);
    body.withObject("/rescore/quickscorer")
        .without(List.of("feature_set", "log"))
        .put("model", "explained");
    Map<String, String> shown = new LinkedHashMap<>();
    for (JsonNode hit : client.post("/kinds3/_search", body.toString()).at("/hits/hits")) {
      for (JsonNode feature : hit.at("/_explanation/details/0/details")) {
        if (feature.get("description").asString().startsWith("feature [")) {
          shown.merge(hit.get("_id").asString(), line(feature), String::concat);
        }
      }
    }
    assertEquals(
        Map.of(
            "0", explained("3.5", "3.5", "-1.25", "11.75"),
            "1", explained("0.5", "0.5", "0.5", "1.0"),
            "2",
                "feature [price] is missing; feature [mix] is missing; input [price] is missing;"
                    + " input [params.w] 3.0; input [field.price] is missing; ",
            "3", explained("8.0", "8.0", "8.0", "16.0")),
        shown);
  }

  private static String explained(String price, String input, String field, String mix) {
    return "feature [price] %s; feature [mix] %s; input [price] %s; input [params.w] 3.0; input [field.price] %s; "
        .formatted(price, mix, input, field);
  }

  /** A feature's value with those of its inputs, in one line. */
  private static String line(JsonNode explanation) {
    StringBuilder line = new StringBuilder(explanation.get("description").asString());
    if (explanation.get("value").asDouble() != 0) {
      line.append(' ').append(explanation.get("value").asDouble());
    }
    line.append("; ");
    for (JsonNode detail : explanation.get("details")) {
      line.append(line(detail));
    }
    return line.toString();
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of(
            "'type': 'field', 'field': 'price', 'mode': 'median'", "[mode] must be one of"),
        Arguments.of("'type': 'field', 'field': 'brand', 'hash': -1", "[hash] must be"),
        Arguments.of(
            "'type': 'field', 'field': 'price', 'normalize': 'sqrt'", "[normalize] must be"),
        Arguments.of("'type': 'expression', 'expression': 'f + 1'", "can't depend on itself"),
        Arguments.of("'type': 'expression', 'expression': '1 +* 2'", "[expression]"),
        Arguments.of("'type': 'term_statistics', 'field': 'title'", "[text] must be"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void wrongDefinitionsAreRefusedByName(String fields, String message) {
    String body = "{'features': [{'name': 'f', %s}]}".formatted(fields).replace('\'', '"');
    NodeClient.Answer answer = client.send("PUT", SETS + "wrong", body);
    assertEquals(400, answer.status(), answer.body()::toString);
    String reason = answer.body().toString();
    assertTrue(reason.contains("feature [f]") && reason.contains(message), reason);
  }

  static Stream<Arguments> misfits() {
    return Stream.of(
        Arguments.of("'type': 'field', 'field': 'nowhere'", "no field [nowhere]"),
        Arguments.of("'type': 'field', 'field': 'title'", "[title] is of type [text]"),
        Arguments.of("'type': 'field', 'field': 'price', 'distance_from': 'p'", "parameter [p]"),
        Arguments.of(
            "'type': 'expression', 'expression': 'params.p'", "parameter [p] has no value"));
  }

  @ParameterizedTest
  @MethodSource("misfits")
  void misfitsAreRefusedByNameWhenSearched(String fields, String message) {
    client.put(
        SETS + "kinds", "{'features': [{'name': 'f', %s}]}".formatted(fields).replace('\'', '"'));
    NodeClient.Answer answer = client.send("POST", "/kinds3/_search", clause("{}").toString());
    assertEquals(400, answer.status(), answer.body()::toString);
    String reason = answer.body().toString();
    assertTrue(reason.contains("feature [f]") && reason.contains(message), reason);
  }
}
