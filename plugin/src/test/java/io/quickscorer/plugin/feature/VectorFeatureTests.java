// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.Before;
import org.opensearch.common.xcontent.XContentType;

/** Similarities of vectors of our own field type, worked out by hand, and what it refuses. */
public class VectorFeatureTests extends ShardFeaturesTestCase {
  private static final float NONE = Float.NaN;

  /** Two segments, one of them without vectors. */
  @Before
  public void addDocuments() {
    createCatalogue(
        """
        {"properties": {
          "id": {"type": "integer"}, "price": {"type": "double"},
          "meaning": {"type": "quickscorer_vector", "dimension": 5}}}
        """);
    add(
        0,
        List.of(
            "{\"id\": 0, \"meaning\": [1, -2, 0.5, 3, 0.25]}",
            "{\"id\": 1, \"meaning\": [0, 0, 0, 0, 0]}"));
    add(2, List.of("{\"id\": 2, \"price\": 3}", "{\"id\": 3}"));
  }

  private static String vector(String similarity) {
    return "{\"name\": \"v\", \"type\": \"vector\", \"field\": \"meaning\", \"param\": \"v\","
        + " \"similarity\": \""
        + similarity
        + "\"}";
  }

  public void testVectors() throws IOException {
    Map<String, Object> params = Map.of("v", List.of(2, 1, -1, 0.5, 4));
    assertColumn(vector("dot"), params, 2 - 2 - 0.5f + 1.5f + 1, 0, NONE, NONE);
    double length = Math.sqrt(1 + 4 + 0.25 + 9 + 0.0625);
    double wanted = Math.sqrt(4 + 1 + 1 + 0.25 + 16);
    assertColumn(vector("cosine"), params, (float) (2 / (length * wanted)), NONE, NONE, NONE);
    double distance = Math.sqrt(1 + 9 + 2.25 + 6.25 + 3.75 * 3.75);
    assertColumn(vector("l2"), params, (float) distance, (float) wanted, NONE, NONE);
    assertColumn(vector("l2_squared"), params, 32.5625f, 22.25f, NONE, NONE);
    assertColumn(vector("l1"), params, 11.75f, 8.5f, NONE, NONE);
    assertColumn(vector("linf"), params, 3.75f, 4, NONE, NONE);
    String message = refusal(vector("hamming"), params);
    assertTrue(
        message,
        message.contains("[meaning] has data_type [float], but similarity [hamming] needs binary"));
    message = refusal(vector("dot"), Map.of("v", List.of(1, 2)));
    assertTrue(
        message,
        message.contains(
            "feature [v]: field [meaning] has dimension 5, but the vector of the request has 2"));
    message = refusal(vector("dot"), Map.of("v", List.of(1, "x")));
    assertTrue(message, message.contains("feature [v]: parameter [v] must be an array"));
    message = refusal(vector("dot").replace("meaning", "price"), params);
    assertTrue(
        message, message.contains("[price] is of type [double], expected quickscorer_vector"));
  }

  public void testVectorsThatDoNotFitAreRefused() {
    for (String[] wrong :
        new String[][] {
          {"[1, 2]", "[meaning]: the vector has 2 numbers, expected 5"},
          {"[1, 2, 3, 4, 5, 6]", "[meaning]: the vector has more than 5 numbers"},
          {"[1, 2, 3, 4, \"x\"]", "[meaning]: element 4 is not a number"},
          {"[1e39, 2, 3, 4, 5]", "[meaning]: element 0 is not finite"},
          {"7", "[meaning]: expected an array of numbers"}
        }) {
      Exception e =
          expectThrows(
              Exception.class,
              () ->
                  client()
                      .prepareIndex(INDEX)
                      .setSource("{\"meaning\": " + wrong[0] + "}", XContentType.JSON)
                      .get());
      assertTrue(e + " " + e.getCause(), (e + " " + e.getCause()).contains(wrong[1]));
    }
    for (String dimension : List.of("", ", \"dimension\": 0", ", \"dimension\": 16385")) {
      String field = "{\"type\": \"quickscorer_vector\"" + dimension + "}";
      Exception e =
          expectThrows(
              Exception.class,
              () ->
                  client()
                      .admin()
                      .indices()
                      .preparePutMapping(INDEX)
                      .setSource("{\"properties\": {\"w\": " + field + "}}", XContentType.JSON)
                      .get());
      assertTrue(e.toString(), e.toString().contains("[dimension]"));
    }
  }
}
