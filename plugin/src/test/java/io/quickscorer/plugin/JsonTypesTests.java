// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/**
 * Each type of JSON at each place of each structure that the plugin reads: an answer below 500, and
 * where it is a refusal, one that names the place.
 */
@ClusterScope(numDataNodes = 1, numClientNodes = 0, supportsDedicatedMasters = false)
public class JsonTypesTests extends QuickScorerHttpTestCase {
  private static final List<@Nullable Object> VALUES =
      Arrays.asList(
          null,
          5,
          -1,
          0.5,
          1e300,
          Long.MAX_VALUE,
          "x",
          "",
          true,
          List.of(),
          Map.of(),
          List.of(1, "a", Map.of()),
          Map.of("a", List.of(1)),
          Collections.singletonMap("b", null));

  private void ok(String method, String path, String body) throws Exception {
    Answer answer = send(method, path, body);
    assertTrue(answer.body(), answer.status() < 300);
  }

  /** Of a value of the wrong type; what is wrong otherwise names the fields that it is about. */
  private static boolean namesThePlace(String answer, List<Object> place) {
    return !answer.contains(", not ")
        || place.stream().anyMatch(step -> step instanceof String name && answer.contains(name));
  }

  public void testEachTypeAtEachPlace() throws Exception {
    MarkedModels.createIndex(this::ok, "docs", 1, 20);
    ok("PUT", BASE + "feature_sets/marked", MarkedModels.FEATURE_SET);
    for (int mark = 1; mark <= 3; mark++) {
      ok("PUT", BASE + "models/m" + mark + "?feature_set=marked", MarkedModels.file(mark));
    }
    List<String> failures = new ArrayList<>();
    for (RightBody body : RightBody.all()) {
      for (List<Object> place : body.places()) {
        for (Object value : VALUES) {
          String json = XContentFactory.jsonBuilder().value(body.with(place, value)).toString();
          Answer answer = send(body.method(), body.path(), json);
          boolean refused = answer.status() >= 400;
          if (answer.status() >= 500
              || (refused && !namesThePlace(answer.body(), place))
              || answer.body().contains("NullPointer")
              || answer.body().contains("class_cast")) {
            failures.add(
                body.method()
                    + " "
                    + body.path()
                    + " "
                    + json
                    + "\n  "
                    + answer.status()
                    + " "
                    + answer.body());
          }
        }
      }
    }
    assertEquals(String.join("\n", failures), 0, failures.size());
    for (String kind : List.of("models", "aliases", "feature_sets")) {
      for (Object each : (List<?>) send("GET", BASE + kind).at(kind)) {
        if (!kind.equals("models")) {
          send("DELETE", BASE + kind + "/" + ((Map<?, ?>) each).get("name"));
        }
      }
    }
    for (int mark = 1; mark <= 3; mark++) {
      send("DELETE", BASE + "models/m" + mark);
    }
    send("DELETE", "/_search/pipeline/p");
    send("DELETE", "/_search/pipeline/r");
  }
}
