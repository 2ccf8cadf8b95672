// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.testing.FreeBudget;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.util.BytesRef;
import org.junit.Before;
import org.opensearch.common.geo.GeoDistance;
import org.opensearch.common.unit.DistanceUnit;

/**
 * Values of the kinds that are not queries, worked out by hand or by the server's own functions.
 */
public class FeatureKindsTests extends ShardFeaturesTestCase {
  private static final String MAPPING =
      """
      {"properties": {
        "id": {"type": "integer"}, "title": {"type": "text"}, "tag": {"type": "keyword"},
        "price": {"type": "double"}, "sold": {"type": "long"}, "listed": {"type": "boolean"},
        "released": {"type": "date"}, "place": {"type": "geo_point"},
        "bare": {"type": "text", "index_options": "freqs", "norms": false},
        "once": {"type": "text", "index_options": "docs"}, "parts_of": {"type": "wildcard"}, "half": {"type": "half_float"},
        "from": {"type": "ip"}, "build": {"type": "version"}, "any": {"type": "flat_object"}, "big": {"type": "unsigned_long"},
        "named": {"type": "keyword", "normalizer": "lowercase"},
        "parts": {"type": "nested", "properties": {"colour": {"type": "text"}, "weight": {"type": "double"}}}},
       "derived": {"twice": {"type": "double", "script": "emit(doc['price'].value * 2)"}}}
      """;

  /** Two segments, so that ordinals and positions of one are not those of the other. */
  @Before
  public void addDocuments() {
    createCatalogue(MAPPING);
    add(
        0,
        List.of(
            """
            {"id": 0, "named": "Ship", "title": "the red ship and the red sea", "tag": ["b", "a"], "price": [3.5, -1.25, 2.0],
             "sold": 16777217, "listed": true, "released": "1970-01-02", "half": [0.57, 19.99], "once": "red red", "place": ["52.0,13.0", "48.5,2.25"],
             "parts": [{"colour": "red red"}, {"colour": "blue"}],
             "from": ["10.0.0.1", "10.0.0.2"], "build": "1.10.0", "any": {"colour": "red", "size": "big"},
             "big": [1, 9223372036854775818]}
            """,
            """
            {"id": 1, "named": ["ZÜRICH", "X"], "title": "red", "tag": "c", "price": 0.5, "sold": 7, "listed": [true, false],
             "released": "2026-01-01T00:00:01Z", "place": {"lat": -33.5, "lon": 151.0}, "bare": "red red"}
            """));
    add(
        2,
        List.of(
            "{\"id\": 2, \"named\": \"zürich\", \"title\": \"a ship\", \"tag\": [\"zebra\","
                + " \"c\"]}",
            "{\"id\": 3}"));
  }

  private static String field(String options) {
    return "{\"name\": \"f\", \"type\": \"field\", " + options + "}";
  }

  private static final float NONE = Float.NaN;

  public void testNumbersOfSeveralValues() throws IOException {
    assertColumn(field("\"field\": \"price\""), -1.25f, 0.5f, NONE, NONE);
    assertColumn(field("\"field\": \"price\", \"mode\": \"min\""), -1.25f, 0.5f, NONE, NONE);
    assertColumn(field("\"field\": \"price\", \"mode\": \"max\""), 3.5f, 0.5f, NONE, NONE);
    assertColumn(field("\"field\": \"price\", \"mode\": \"sum\""), 4.25f, 0.5f, NONE, NONE);
    assertColumn(
        field("\"field\": \"price\", \"mode\": \"avg\", \"missing\": -7"),
        (float) (4.25 / 3),
        0.5f,
        -7,
        -7);
    assertColumn(field("\"field\": \"price\", \"mode\": \"count\""), 3, 1, 0, 0);
    assertColumn(field("\"field\": \"tag\", \"mode\": \"count\""), 2, 1, 2, 0);
  }

  public void testLongsBooleansAndDates() throws IOException {
    assertColumn(field("\"field\": \"sold\""), 16777217f, 7, NONE, NONE);
    assertColumn(field("\"field\": \"listed\""), 1, 0, NONE, NONE);
    assertColumn(field("\"field\": \"listed\", \"mode\": \"max\""), 1, 1, NONE, NONE);
    assertColumn(field("\"field\": \"released\""), 86_400_000f, (float) 1767225601000L, NONE, NONE);
  }

  public void testUnsignedLongsAboveTheSignedOnes() throws IOException {
    assertColumn(field("\"field\": \"big\""), 1, NONE, NONE, NONE);
    assertColumn(field("\"field\": \"big\", \"mode\": \"max\""), 0x1p63f, NONE, NONE, NONE);
    assertColumn(field("\"field\": \"from\", \"mode\": \"count\""), 2, 0, 0, 0);
  }

  public void testCategoriesOfNumbers() throws IOException {
    assertColumn(field("\"field\": \"price\", \"categories\": [0.5, 3.5, 7, 2]"), 1, 0, NONE, NONE);
    assertColumn(field("\"field\": \"sold\", \"categories\": [7, 16777217]"), 1, 0, NONE, NONE);
    assertColumn(
        field("\"field\": \"sold\", \"categories\": [16777216], \"missing\": -1"), -1, -1, -1, -1);
    assertColumn(field("\"field\": \"listed\", \"categories\": [1, 0]"), 0, 0, NONE, NONE);
    assertColumn(field("\"field\": \"half\", \"categories\": [2.5, 0.57]"), 1, NONE, NONE, NONE);
    assertColumn(field("\"field\": \"half\", \"categories\": [2.5, 19.99]"), 1, NONE, NONE, NONE);
    assertColumn(field("\"field\": \"half\", \"categories\": [0.56, 20]"), NONE, NONE, NONE, NONE);
    String message = refusal(field("\"field\": \"tag\", \"categories\": [1, 2]"), Map.of());
    assertTrue(message, message.contains("[tag] is of type [keyword], expected a number, date"));
  }

  /** Values and list are brought to one form; what that makes the same can't be told apart. */
  public void testCategoriesOfANormalisedKeyword() throws IOException {
    assertColumn(
        field("\"field\": \"named\", \"categories\": [\"SHIP\", \"Zürich\", \"x\"]"),
        0,
        1,
        1,
        NONE);
    String message =
        refusal(
            field("\"field\": \"named\", \"categories\": [\"Ship\", \"x\", \"sHIP\"]"), Map.of());
    assertTrue(
        message,
        message.contains(
            "[categories] lists [Ship] and [sHIP], but the normalizer of field [named] makes"));
    float ship = FieldValues.hash(new BytesRef("ship"), 1000);
    assertEquals(ship, column(field("\"field\": \"named\", \"hash\": 1000"), Map.of()).get(0), 0);
  }

  public void testCategoriesAndHashes() throws IOException {
    assertColumn(field("\"field\": \"tag\", \"categories\": [\"c\", \"x\", \"b\"]"), 2, 0, 0, NONE);
    float a = FieldValues.hash(new BytesRef("a"), 1000);
    float b = FieldValues.hash(new BytesRef("b"), 1000);
    float c = FieldValues.hash(new BytesRef("c"), 1000);
    float zebra = FieldValues.hash(new BytesRef("zebra"), 1000);
    assertColumn(
        field("\"field\": \"tag\", \"hash\": 1000"), Math.min(a, b), c, Math.min(c, zebra), NONE);
    assertColumn(field("\"field\": \"tag\", \"hash\": 1"), 0, 0, 0, NONE);
    // Published test values of the function: h("") = 0, h("test") = 0xba6bd213.
    assertEquals(0, FieldValues.hash(new BytesRef(""), 1 << 24));
    assertEquals(0x6bd213, FieldValues.hash(new BytesRef("test"), 1 << 24));
  }

  public void testDistances() throws IOException {
    String feature = "\"field\": \"place\", \"distance_from\": \"here\", \"unit\": \"km\"";
    float near = distance(52.0, 13.0);
    float far = distance(48.5, 2.25);
    float farthest = distance(-33.5, 151.0);
    for (Object here :
        List.of("52.5,13.5", Map.of("lat", 52.5, "lon", 13.5), List.of(13.5, 52.5))) {
      Map<String, Object> params = Map.of("here", here);
      assertColumn(field(feature), params, near, farthest, NONE, NONE);
      assertColumn(field(feature + ", \"mode\": \"max\""), params, far, farthest, NONE, NONE);
      assertColumn(field(feature + ", \"mode\": \"count\""), params, 2, 1, 0, 0);
    }
    String named = refusal(field(feature), Map.of("here", "nowhere at all"));
    assertTrue(named, named.contains("feature [f]: parameter [here] must be a geo point"));
    named = refusal(field(feature), Map.of());
    assertTrue(named, named.contains("feature [f]: parameter [here] has no value"));
  }

  /** Of a point as the index has it, which rounds coordinates. */
  private static float distance(double latitude, double longitude) {
    double lat = GeoEncodingUtils.decodeLatitude(GeoEncodingUtils.encodeLatitude(latitude));
    double lon = GeoEncodingUtils.decodeLongitude(GeoEncodingUtils.encodeLongitude(longitude));
    return (float) GeoDistance.ARC.calculate(52.5, 13.5, lat, lon, DistanceUnit.KILOMETERS);
  }

  private static String terms(String statistic, String aggregate) {
    return ("{\"name\": \"t\", \"type\": \"term_statistics\", \"field\": \"title\", \"text\":"
            + " \"{{q}}\", \"statistic\": \"%s\", \"aggregate\": \"%s\"}")
        .formatted(statistic, aggregate);
  }

  public void testTermStatistics() throws IOException {
    // Documents with a title: 3. red: in 2, 3 times; ship: in 2, twice; sail: nowhere.
    Map<String, Object> q = Map.of("q", "RED ship, sail red");
    assertColumn(terms("df", "sum"), q, 4, 4, 4, 4);
    assertColumn(terms("df", "min"), q, 0, 0, 0, 0);
    assertColumn(terms("df", "count"), q, 2, 2, 2, 2);
    assertColumn(terms("ttf", "max"), q, 3, 3, 3, 3);
    assertColumn(terms("ttf", "avg"), q, (float) (5 / 3.), (float) (5 / 3.));
    float common = (float) Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
    float absent = (float) Math.log(1 + (3 - 0 + 0.5) / (0 + 0.5));
    assertColumn(terms("idf", "min"), q, common, common, common, common);
    assertColumn(terms("idf", "max"), q, absent, absent, absent, absent);
    assertColumn(terms("tf", "sum"), q, 3, 1, 1, 0);
    assertColumn(terms("tf", "max"), q, 2, 1, 1, 0);
    assertColumn(terms("tf", "min"), q, 0, 0, 0, 0);
    assertColumn(terms("tf", "avg"), q, 1, (float) (1 / 3.), (float) (1 / 3.), 0);
    assertColumn(terms("tf", "count"), q, 2, 1, 1, 0);
    assertColumn(terms("position", "min"), q, 1, 0, 1, NONE);
    assertColumn(terms("position", "max"), q, 5, 0, 1, NONE);
    assertColumn(terms("position", "avg"), q, (float) ((1 + 2 + 5) / 3.), 0, 1, NONE);
    assertColumn(terms("position", "count"), q, 3, 1, 1, 0);
    Map<String, Object> nothing = Map.of("q", " ,.");
    assertColumn(terms("df", "sum"), nothing, NONE, NONE, NONE, NONE);
    assertColumn(terms("tf", "sum"), nothing, NONE, NONE, NONE, NONE);
    assertColumn(terms("tf", "count"), nothing, 0, 0, 0, 0);
  }

  public void testTermStatisticsOfOtherFields() throws IOException {
    String tag = terms("tf", "sum").replace("title", "tag");
    assertColumn(tag, Map.of("q", "c"), 0, 1, 1, 0);
    String bare = terms("tf", "sum").replace("title", "bare");
    assertColumn(bare, Map.of("q", "red"), 0, 2, 0, 0);
    String positions =
        refusal(terms("position", "min").replace("title", "bare"), Map.of("q", "red"));
    assertTrue(positions, positions.contains("[bare] is indexed without positions"));
    for (String statistic : List.of("tf", "ttf")) {
      String frequencies =
          refusal(terms(statistic, "sum").replace("title", "once"), Map.of("q", "red"));
      assertTrue(frequencies, frequencies.contains("[once] is indexed without frequencies"));
      String parts =
          refusal(terms(statistic, "sum").replace("title", "parts_of"), Map.of("q", "red"));
      assertTrue(parts, parts.contains("[parts_of] of type [wildcard] has no terms"));
    }
    assertColumn(terms("df", "sum").replace("title", "once"), Map.of("q", "red"), 1, 1, 1, 1);
    String number = refusal(terms("df", "min").replace("title", "sold"), Map.of("q", "7"));
    assertTrue(number, number.contains("feature [t]: field [sold]"));
    String nowhere = refusal(terms("df", "min").replace("title", "nowhere"), Map.of("q", "7"));
    assertTrue(nowhere, nowhere.contains("feature [t]: the index has no field [nowhere]"));
  }

  public void testNormalizers() throws IOException {
    String price = "\"field\": \"price\", \"normalize\": ";
    assertColumn(
        field(price + "{\"min_max\": {\"min\": -2, \"max\": 1}}"), 0.25f, (float) (2.5 / 3), NONE);
    assertColumn(
        field(
            price + "{\"z_score\": {\"mean\": 0.1, \"standard_deviation\": 0.3}}, \"missing\": 9"),
        (float) ((-1.25 - 0.1) / 0.3),
        (float) ((0.5 - 0.1) / 0.3),
        9);
    assertColumn(field(price + "\"log1p\""), NONE, (float) Math.log1p(0.5), NONE);
    assertColumn(field(price + "{\"clip\": {\"min\": 0}}"), 0, 0.5f, NONE);
    assertColumn(
        field(
            price
                + "[{\"clip\": {\"min\": 0}}, \"log1p\", {\"min_max\": {\"min\": 0, \"max\": 4}}]"),
        0,
        (float) (Math.log1p(0.5) / 4),
        NONE);
    // In double precision, before the value becomes a float.
    assertColumn(
        field(
            "\"field\": \"sold\", \"normalize\": {\"z_score\": {\"mean\": 16777216,"
                + " \"standard_deviation\": 1}}"),
        1,
        7 - 16777216f);
    assertColumn(
        "{\"name\": \"q\", \"type\": \"query\", \"query\": {\"constant_score\": {\"filter\":"
            + " {\"term\": {\"tag\": \"c\"}}, \"boost\": 3}}, \"normalize\": \"log1p\","
            + " \"missing\": 0}",
        0,
        (float) Math.log1p(3),
        (float) Math.log1p(3),
        0);
    assertColumn(
        "{\"name\": \"s\", \"type\": \"first_pass_score\", \"normalize\": \"log1p\"}",
        (float) Math.log1p(0.5),
        (float) Math.log1p(1.5));
    assertColumn(
        "{\"name\": \"p\", \"type\": \"param\", \"param\": \"x\", \"normalize\": \"log1p\"}",
        Map.of("x", 2),
        (float) Math.log1p(2),
        (float) Math.log1p(2));
  }

  private static String expression(String source) {
    return "{\"name\": \"e\", \"type\": \"expression\", \"expression\": \"" + source + "\"}";
  }

  public void testExpressionsOverFieldsAndParams() throws IOException {
    Map<String, Object> params = Map.of("now", 1767225602500L, "a b", 2, "yes", true);
    assertColumn(
        expression("(params.now - field.released) / 1000"),
        params,
        1767139202.5f,
        1.5f,
        NONE,
        NONE);
    assertColumn(
        expression("params['a b'] * field['price'] + params.yes"), params, -1.5f, 2, NONE, NONE);
    assertColumn(expression("max(params['a b'], 3) + sqrt(16)"), params, 7, 7, 7, 7);
    assertColumn(expression("field.price > 0 ? 1 : -1"), params, -1, 1, -1, -1);
    assertColumn(
        expression("1 / (field.price - 0.5)"), params, (float) (1 / -1.75), NONE, NONE, NONE);
  }

  public void testExpressionsReadOtherFeaturesInTheirOrder() throws IOException {
    String set =
        """
        {"features": [
          {"name": "sum", "type": "expression", "expression": "twice + feature['first pass'] + matched"},
          {"name": "twice", "type": "expression", "expression": "2 * price"},
          {"name": "price", "type": "field", "field": "price", "missing": 100},
          {"name": "first pass", "type": "first_pass_score"},
          {"name": "matched", "type": "query", "missing": 0,
           "query": {"constant_score": {"filter": {"match": {"title": "{{q}}"}}, "boost": 1000}}}]}
        """;
    Map<Integer, float[]> rows = rows(set, Map.of("q", "ship"));
    assertEquals(-2.5f + 0.5f + 1000, rows.get(0)[0], 0);
    assertEquals(1 + 1.5f, rows.get(1)[0], 0);
    assertEquals(200 + 2.5f + 1000, rows.get(2)[0], 0);
    assertEquals(200 + 3.5f, rows.get(3)[0], 0);
    assertEquals(200, rows.get(3)[1], 0);
  }

  /** What a wanted feature reads is computed though nobody wants it. */
  public void testInputsThatTheModelDoesNotUse() throws IOException {
    FeatureSet set =
        parse(
            """
            {"features": [
              {"name": "unused", "type": "field", "field": "nowhere"},
              {"name": "price", "type": "field", "field": "price"},
              {"name": "twice", "type": "expression", "expression": "2 * price"}]}
            """);
    BoundFeatures bound =
        BoundFeatures.bind(
            set, "twice"::equals, new HashMap<>(), xContentRegistry(), FreeBudget.create());
    Map<Integer, float[]> rows = onShard((context, searcher) -> rows(bound, context, searcher));
    assertEquals(-2.5f, rows.get(0)[2], 0);
    assertTrue(Float.isNaN(rows.get(0)[0]));
  }

  public void testErrorsOnTheShardNameFeatureAndField() {
    for (String[] wrong :
        new String[][] {
          {"\"field\": \"nowhere\"", "feature [f]: the index has no field [nowhere]"},
          {"\"field\": \"tag\"", "[tag] is of type [keyword], expected a number, date or boolean"},
          {"\"field\": \"title\"", "[title] is of type [text], expected a number"},
          {"\"field\": \"price\", \"hash\": 5", "[price] is of type [double], expected a keyword"},
          {"\"field\": \"price\", \"categories\": [\"a\"]", "expected a keyword"},
          {"\"field\": \"from\", \"hash\": 5", "[from] is of type [ip], expected a keyword"},
          {"\"field\": \"from\", \"categories\": [\"10.0.0.1\"]", "expected a keyword"},
          {"\"field\": \"build\", \"hash\": 5", "[build] is of type [version], expected a keyword"},
          {"\"field\": \"build\", \"categories\": [\"1.10.0\"]", "expected a keyword"},
          {"\"field\": \"any.colour\", \"hash\": 5", "[flat_object], expected a keyword"},
          {"\"field\": \"any\", \"categories\": [\"red\"]", "[flat_object], expected"},
          {"\"field\": \"any.colour\", \"mode\": \"count\"", "[flat_object], expected a number"},
          {"\"field\": \"twice\"", "feature [f]: field [twice] is derived by a script"},
          {"\"field\": \"twice\", \"mode\": \"count\"", "field [twice] is derived by a script"},
          {
            "\"field\": \"parts.weight\", \"mode\": \"count\"",
            "feature [f]: field [parts.weight] is inside nested objects [parts]"
          }
        }) {
      String message = refusal(field(wrong[0]), Map.of());
      assertTrue(message, message.contains(wrong[1]));
    }
    String message =
        refusal(field("\"field\": \"price\", \"distance_from\": \"x\""), Map.of("x", "1,2"));
    assertTrue(
        message,
        message.contains("feature [f]: field [price] is of type [double], expected a geo_point"));
    message = refusal(expression("field.parts.weight"), Map.of());
    assertTrue(message, message.contains("[parts.weight] is inside nested objects [parts]"));
    message = refusal(expression("field.tag"), Map.of());
    assertTrue(message, message.contains("feature [e]: field [tag] is of type [keyword]"));
    message = refusal(expression("params.x"), Map.of("x", "text"));
    assertTrue(message, message.contains("feature [e]: parameter [x] must be a number"));
  }

  public void testQueriesThatFailWhileScoringNameTheirFeature() {
    String query = "{\"name\": \"%s\", \"type\": \"query\", \"query\": {\"function_score\": {%s}}}";
    String absent = "\"field_value_factor\": {\"field\": \"sold\"}";
    String message = refusal(query.formatted("lacking", absent), Map.of());
    assertTrue(message, message.contains("feature [lacking]: Missing value for field [sold]"));
    String script = "\"script_score\": {\"script\": \"doc['price'].value\"}";
    message = refusal(query.formatted("scripted", script), Map.of());
    assertTrue(message, message.contains("feature [scripted]: "));
  }

  private static String script(String source) {
    return "{\"name\": \"s\", \"type\": \"script\", \"script\": {\"source\": \""
        + source
        + "\", \"params\": {\"a\": 2, \"b\": 3}}}";
  }

  public void testScripts() throws IOException {
    // A request can't change what the set's author wrote into the script.
    Map<String, Object> params = Map.of("b", 10, "c", 1);
    assertColumn(
        script("params.a * params.b + params.c + _score"), params, 7.5f, 8.5f, 9.5f, 10.5f);
    assertColumn(
        script("doc['price'].size() == 0 ? Double.NaN : -doc['price'].value"),
        params,
        1.25f,
        -0.5f,
        NONE,
        NONE);
    // Needs the shard and the index.
    assertColumn(script("randomScore(42, 'id') < 1 ? 1 : 0"), params, 1, 1, 1, 1);
    String message = refusal(script("nonsense +"), params);
    assertTrue(message, message.contains("feature [s]: "));
    message = refusal(script("doc['price'].value"), params);
    assertTrue(message, message.contains("feature [s]: "));
  }

  public void testNestedQueries() throws IOException {
    String nested =
        """
        {"name": "n", "type": "query", "missing": 0, "query": {"nested": {"path": "parts", "score_mode": "sum",
          "query": {"constant_score": {"filter": {"match": {"parts.colour": "{{q}}"}}, "boost": 4}}}}}
        """;
    assertColumn(nested, Map.of("q", "red"), 4, 0, 0, 0);
    assertColumn(nested, Map.of("q", "red blue"), 8, 0, 0, 0);
  }
}
