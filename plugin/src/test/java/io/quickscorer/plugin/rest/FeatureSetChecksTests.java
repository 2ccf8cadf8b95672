// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.opensearch.painless.PainlessModulePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** What is told of a feature set when it is stored, and what is refused. */
@ClusterScope(numDataNodes = 1, supportsDedicatedMasters = false)
public class FeatureSetChecksTests extends QuickScorerHttpTestCase {
  private static final String SET = BASE + "feature_sets/checked";

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return Stream.concat(super.nodePlugins().stream(), Stream.of(PainlessModulePlugin.class))
        .toList();
  }

  private Answer put(String parameters, String... features) throws Exception {
    return send("PUT", SET + parameters, "{\"features\":[" + String.join(",", features) + "]}");
  }

  private static String query(String query) {
    return "{\"name\":\"q\",\"type\":\"query\",\"query\":" + query + "}";
  }

  private static String script(String source) {
    return "{\"name\":\"s\",\"type\":\"script\",\"script\":\"" + source + "\"}";
  }

  private void assertRefused(String expected, String feature) throws Exception {
    Answer refused = put("", feature);
    assertStatus(400, refused);
    assertTrue(refused.body(), refused.body().contains(expected));
  }

  private void assertWarned(Answer stored, String... expected) {
    assertTrue(stored.body(), stored.status() == 200 || stored.status() == 201);
    List<?> warnings = (List<?>) stored.at("warnings");
    assertEquals(stored.body(), expected.length, warnings.size());
    for (int i = 0; i < expected.length; i++) {
      assertTrue(stored.body(), ((String) warnings.get(i)).contains(expected[i]));
    }
  }

  public void testWhatNoRequestCouldUseIsRefused() throws Exception {
    assertRefused(
        "feature [q]: [query]: unknown query [matsch]",
        query("{\"matsch\":{\"title\":\"{{keywords}}\"}}"));
    assertRefused("feature [q]: [query]: ", query("{\"term\":{\"title\":{\"valeu\":\"red\"}}}"));
    assertRefused("feature [s]: [script]: ", script("doc['x'].value +"));
    assertRefused("feature [s]: [script]: ", script("no_such_variable * 2"));
    assertStatus(404, send("GET", SET));
  }

  public void testWhatARequestMayPutRightIsAWarning() throws Exception {
    assertWarned(put("", query("{\"match\":{\"title\":\"{{keywords}}\"}}")));
    assertWarned(
        put("", query("{\"match\":{\"title\":{\"query\":\"{{keywords}}\",\"operatr\":\"and\"}}}")),
        "feature [q]: the query is not valid with sample values for its parameters: ");
    assertWarned(
        put(
            "",
            "{\"name\":\"q\",\"params\":[\"keywords\",\"locale\"],\"query\":"
                + "{\"match\":{\"title\":\"{{keywords}}\"}}}"),
        "feature [q]: [params] has [locale], which the feature's query does not use");
    assertStatus(
        400, put("", "{\"name\":\"p\",\"type\":\"param\",\"param\":\"x\",\"params\":[\"x\"]}"));
  }

  public void testTemplatesAreTriedWithValuesOfTheirKind() throws Exception {
    assertWarned(
        put(
            "",
            query("\"{\\\"terms\\\":{\\\"tag\\\":{{#toJson}}tags{{/toJson}}}}\""),
            query("{\"range\":{\"year\":{\"gte\":\"{{since}}\"}}}").replace("\"q\"", "\"r\""),
            query("{\"match\":{\"title\":\"{{user.words}}\"}}").replace("\"q\"", "\"d\""),
            query("\"{\\\"match\\\":{\\\"title\\\":\\\"{{#words}}{{.}} {{/words}}\\\"}}\"")
                .replace("\"name\":\"q\"", "\"name\":\"l\"")));
  }

  public void testFieldsAreLookedForInAnIndex() throws Exception {
    assertStatus(
        200,
        send(
            "PUT",
            "/films",
            "{\"mappings\":{\"properties\":{\"title\":{\"type\":\"text\",\"fields\":{\"raw\":"
                + "{\"type\":\"keyword\"}}},"
                + "\"year\":{\"type\":\"integer\"},\"cast\":{\"type\":\"nested\",\"properties\":"
                + "{\"age\":{\"type\":\"integer\"}}}}}}"));
    String[] features = {
      query("{\"bool\":{\"should\":[{\"match\":{\"titel\":\"{{keywords}}\"}}]}}"),
      "{\"name\":\"y\",\"type\":\"field\",\"field\":\"yaer\"}",
      "{\"name\":\"t\",\"type\":\"field\",\"field\":\"title\"}",
      "{\"name\":\"h\",\"type\":\"field\",\"field\":\"title.raw\",\"hash\":10}",
      "{\"name\":\"n\",\"type\":\"field\",\"field\":\"cast.age\",\"mode\":\"count\"}",
      "{\"name\":\"e\",\"type\":\"expression\",\"expression\":\"field.year + field.votes\"}",
      "{\"name\":\"m\",\"type\":\"query\",\"query\":{\"multi_match\":{\"query\":\"{{keywords}}\","
          + "\"fields\":[\"title^2\",\"overview\"]}}}",
      query(
              "{\"function_score\":{\"query\":{\"match\":{\"titl\":\"{{keywords}}\"}},"
                  + "\"functions\":[{\"field_value_factor\":{\"field\":\"populrity\"}},"
                  + "{\"filter\":{\"term\":{\"kind\":\"a\"}},\"weight\":2},"
                  + "{\"script_score\":{\"script\":\"doc['rank'].value\"}},"
                  + "{\"linear\":{\"title\":{\"origin\":\"0\",\"scale\":\"1\"}}}]}}")
          .replace("\"q\"", "\"f\""),
      script("doc['year'].value + doc['yer'].value")
    };
    assertWarned(
        put("?index=films", features),
        "feature [q]: index [films] has no field [titel]",
        "feature [y]: index [films] has no field [yaer]",
        "feature [t]: field [title] of type [text] has no doc values",
        "feature [n]: field [cast.age] is inside nested objects [cast]",
        "feature [e]: index [films] has no field [votes]",
        "feature [m]: index [films] has no field [overview]",
        "feature [f]: index [films] has no field [kind]",
        "feature [f]: index [films] has no field [titl]",
        "feature [f]: index [films] has no field [populrity]",
        "feature [f]: field [title] of type [text] has no doc values",
        "feature [f]: index [films] has no field [rank]",
        "feature [s]: index [films] has no field [yer]");
    assertWarned(put("", features));
    assertStatus(404, put("?index=nowhere", features));
  }
}
