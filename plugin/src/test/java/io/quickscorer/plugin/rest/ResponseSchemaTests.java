// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.OpenApiDescription;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** What a node answers, held against the OpenAPI description of the endpoints' answers. */
@ClusterScope(numDataNodes = 1, supportsDedicatedMasters = false)
public class ResponseSchemaTests extends QuickScorerHttpTestCase {
  private static final String MODEL = "models/{name}?feature_set=marked";

  /**
   * Sends a request.
   *
   * @param pattern of the path, as the description has it
   * @param names what stands for {@code {name}}
   */
  private void check(int status, String method, String pattern, String names, String body)
      throws Exception {
    Answer answer = send(method, BASE + pattern.replace("{name}", names), body);
    assertStatus(status, answer);
    String path = BASE + pattern.replaceFirst("\\?.*", "");
    Map<?, ?> operation =
        OpenApiDescription.child(
            OpenApiDescription.child(
                OpenApiDescription.child(OpenApiDescription.read(), "paths"), path),
            method.toLowerCase(Locale.ROOT));
    Map<?, ?> response =
        resolved(
            OpenApiDescription.child(
                OpenApiDescription.child(operation, "responses"), Integer.toString(status)));
    Map<?, ?> schema =
        OpenApiDescription.child(
            OpenApiDescription.child(
                OpenApiDescription.child(response, "content"), "application/json"),
            "schema");
    hold(method + " " + pattern, schema, answer.json());
  }

  private static Map<?, ?> resolved(Map<?, ?> schema) throws Exception {
    if (!(schema.get("$ref") instanceof String reference)) {
      return schema;
    }
    Map<?, ?> place = OpenApiDescription.read();
    for (String step : reference.substring("#/".length()).split("/")) {
      place = OpenApiDescription.child(place, step);
    }
    return place;
  }

  /** No key that the schema lacks, each that it requires, and values of its types. */
  private static void hold(String where, Map<?, ?> reference, Object value) throws Exception {
    Map<?, ?> schema = resolved(reference);
    if (schema.get("oneOf") instanceof List<?> choices) {
      int fitting = 0;
      for (Object choice : choices) {
        try {
          hold(where, (Map<?, ?>) choice, value);
          fitting++;
        } catch (AssertionError other) {
          // It is another one.
        }
      }
      assertEquals(where + ": one of " + choices + " fits " + value, 1, fitting);
      return;
    }
    if (!schema.containsKey("type")) {
      return; // Anything.
    }
    String type = String.valueOf(schema.get("type"));
    assertTrue(
        where + ": expected " + type + ": " + value,
        switch (type) {
          case "object" -> value instanceof Map;
          case "array" -> value instanceof List;
          case "string" -> value instanceof String;
          case "boolean" -> value instanceof Boolean;
          case "integer" -> value instanceof Integer || value instanceof Long;
          case "number" -> value instanceof Number;
          default -> false;
        });
    if (schema.get("enum") instanceof List<?> values) {
      assertTrue(where + ": expected one of " + values + ": " + value, values.contains(value));
    }
    if (value instanceof List<?> items) {
      for (int i = 0; i < items.size(); i++) {
        hold(where + "[" + i + "]", OpenApiDescription.child(schema, "items"), items.get(i));
      }
    } else if (value instanceof Map<?, ?> object) {
      object(where, schema, object);
    }
  }

  private static void object(String where, Map<?, ?> schema, Map<?, ?> object) throws Exception {
    if (schema.get("required") instanceof List<?> required) {
      for (Object key : required) {
        assertTrue(where + ": no [" + key + "] in " + object, object.containsKey(key));
      }
    }
    Map<?, ?> described =
        schema.get("properties") instanceof Map<?, ?> properties ? properties : Map.of();
    for (Map.Entry<?, ?> entry : object.entrySet()) {
      Object found = described.get(entry.getKey());
      if (found == null) {
        found = schema.get("additionalProperties");
      }
      if (Boolean.TRUE.equals(found)) {
        continue;
      }
      if (!(found instanceof Map<?, ?> of)) {
        throw new AssertionError(where + ": [" + entry.getKey() + "] is not described: " + object);
      }
      hold(where + "." + entry.getKey(), of, entry.getValue());
    }
  }

  /** Statistics and comparisons after searches that count in each part of them. */
  private void checkCounts() throws Exception {
    MarkedModels.createIndex(
        (method, path, body) -> assertStatus(200, send(method, path, body)), "d", 1, 20);
    String processor = "{\"model\":\"live\",\"shadow_models\":[\"second\"]}";
    String processors = "{\"request_processors\":[{\"quickscorer\":" + processor + "}]}";
    assertStatus(200, send("PUT", "/_search/pipeline/p", processors));
    assertStatus(200, send("POST", "/d/_search?search_pipeline=p", "{}"));
    assertStatus(200, send("POST", "/d/_search?search_pipeline=p", "{\"sort\":[\"p\"]}"));
    String interleaved = "\"models\":[\"first\",\"second\"],\"interleave\":{\"seed\":1}";
    assertStatus(200, send("POST", "/d/_search", MarkedModels.search(interleaved, 0, 10, 10)));
    check(200, "GET", "comparisons", "", "");
    check(200, "GET", "stats", "", "");
    String validate = "{\"index\":\"d\",\"query\":{\"match_all\":{}},\"size\":5}";
    check(200, "POST", "feature_sets/{name}/_validate", "marked", validate);
    Answer exported = send("GET", BASE + "_export");
    check(200, "POST", "_import?replace=true", "", exported.body());
    assertStatus(200, send("DELETE", "/_search/pipeline/p"));
    assertStatus(200, send("DELETE", "/d"));
  }

  public void testAnswersAreAsDescribed() throws Exception {
    check(201, "PUT", "feature_sets/{name}", "marked", MarkedModels.FEATURE_SET);
    check(200, "PUT", "feature_sets/{name}", "marked", MarkedModels.FEATURE_SET);
    check(200, "GET", "feature_sets/{name}", "marked", "");
    check(200, "GET", "feature_sets", "", "");
    check(200, "GET", "feature_sets/{name}", "m*", "");
    check(404, "GET", "feature_sets/{name}", "absent", "");
    check(400, "PUT", "feature_sets/{name}", "marked", "{\"features\": 1}");
    check(201, "PUT", MODEL, "first", MarkedModels.file(1));
    check(200, "PUT", MODEL, "first", MarkedModels.file(1));
    check(201, "PUT", MODEL, "second", MarkedModels.file(2));
    check(200, "GET", "models/{name}", "first", "");
    check(200, "GET", "models", "", "");
    check(200, "GET", "models/{name}", "first,second", "");
    check(404, "GET", "models/{name}", "absent", "");
    check(200, "GET", "models/{name}/_importance", "first", "");
    check(200, "GET", "models/{name}/_drift", "first", "");
    check(201, "PUT", "aliases/{name}", "live", "{\"model\": \"first\"}");
    check(200, "PUT", "aliases/{name}", "live", "{\"models\": {\"first\": 9, \"second\": 1}}");
    check(200, "POST", "aliases/{name}/_rollback", "live", "");
    check(200, "GET", "aliases/{name}", "live", "");
    check(200, "GET", "aliases", "", "");
    check(200, "GET", "aliases/{name}", "l*", "");
    check(409, "DELETE", "models/{name}", "first", "");
    check(200, "GET", "ready", "", "");
    checkCounts();
    check(200, "DELETE", "aliases/{name}", "live", "");
    check(404, "DELETE", "aliases/{name}", "live", "");
    check(200, "DELETE", "models/{name}", "first", "");
    check(200, "DELETE", "models/{name}", "second", "");
    check(200, "DELETE", "feature_sets/{name}", "marked", "");
  }
}
