// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.opensearch.painless.PainlessModulePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Sets that run scripts are marked, and can be forbidden. */
@ClusterScope(numDataNodes = 1, numClientNodes = 0, supportsDedicatedMasters = false)
public class ScriptedSetsTests extends QuickScorerHttpTestCase {
  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return Stream.concat(super.nodePlugins().stream(), Stream.of(PainlessModulePlugin.class))
        .toList();
  }

  private static final String SCRIPT = "{\"source\":\"_score\",\"lang\":\"painless\"}";
  private static final String SCRIPTED =
      "{\"features\":[{\"name\":\"a\",\"type\":\"first_pass_score\"},"
          + "{\"name\":\"s\",\"type\":\"script\",\"script\":"
          + SCRIPT
          + "}]}";
  private static final String RAW =
      "{\"features\":[{\"name\":\"r\",\"type\":\"query\",\"query\":\"{{{q}}}\"}]}";

  private static String query(String query) {
    return "{\"features\":[{\"name\":\"s\",\"type\":\"query\",\"query\":" + query + "}]}";
  }

  private void scripts(String allowed) throws Exception {
    assertStatus(
        200,
        send(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"quickscorer.feature_set.scripts\":" + allowed + "}}"));
  }

  private Answer search(String clause) throws Exception {
    return send("POST", "/d/_search", MarkedModels.search(clause, 0, 5, 10));
  }

  private static void assertForbidden(String feature, Answer answer) {
    assertStatus(400, answer);
    assertThat(answer.body(), containsString("feature [" + feature + "]"));
    assertThat(answer.body(), containsString("setting [quickscorer.feature_set.scripts] forbids"));
  }

  public void testMarkedAndForbidden() throws Exception {
    MarkedModels.createIndex(
        (method, path, body) -> assertEquals(200, send(method, path, body).status()), "d", 1, 10);
    Answer put = send("PUT", BASE + "feature_sets/scripted", SCRIPTED);
    assertStatus(201, put);
    assertEquals(true, put.at("uses_scripts"));
    Answer got = send("GET", BASE + "feature_sets/scripted");
    assertEquals(true, got.at("uses_scripts"));
    assertThat(send("GET", BASE + "feature_sets").body(), containsString("\"uses_scripts\":true"));
    // What GET shows can be put again.
    assertStatus(200, send("PUT", BASE + "feature_sets/scripted", got.body()));
    Answer plain = send("PUT", BASE + "feature_sets/raw", RAW);
    assertStatus(201, plain);
    assertNull(plain.at("uses_scripts"));
    assertNull(send("GET", BASE + "feature_sets/raw").at("uses_scripts"));
    scripts("false");
    try {
      assertForbidden("s", send("PUT", BASE + "feature_sets/again", SCRIPTED));
      String score = "{\"script_score\":{\"query\":{\"match_all\":{}},\"script\":" + SCRIPT + "}}";
      assertForbidden("s", send("PUT", BASE + "feature_sets/again", query(score)));
      assertStatus(404, send("GET", BASE + "feature_sets/again"));
      // Those that are there already, and what a parameter brings along.
      assertForbidden("s", search("\"feature_set\":\"scripted\""));
      String raw = "\"feature_set\":\"raw\",\"params\":{\"q\":%s}";
      assertForbidden("r", search(raw.formatted(quoted(score))));
      assertForbidden(
          "r", search(raw.formatted(quoted(score.replace("\"script\"", "\"\\u0073cript\"")))));
      assertForbidden("r", search(raw.formatted(quoted(wrapped(score)))));
      assertForbidden("r", search(raw.formatted(quoted(wrapped(wrapped(score))))));
      // The server's decoder takes these, Java's does not.
      for (String odd : List.of(wrapped(score, " "), wrapped(score, "\\n"))) {
        assertForbidden("r", search(raw.formatted(quoted(odd))));
      }
      String interval =
          "{\"intervals\":{\"t\":{\"match\":{\"query\":\"a"
              + " b\",\"filter\":{\"script\":{\"source\":\"interval.start > 1\"}}}}}}";
      assertForbidden("r", search(raw.formatted(quoted(interval))));
      assertForbidden("s", send("PUT", BASE + "feature_sets/wrapped", query(wrapped(score))));
      // A field of the mapping, or of the search, that a script derives.
      String derived = "\"%s\":{\"type\":\"keyword\",\"script\":\"emit('a')\"}";
      assertStatus(
          200, send("PUT", "/d/_mapping", "{\"derived\":{" + derived.formatted("mapped") + "}}"));
      assertForbidden("r", search(raw.formatted(quoted("{\"term\":{\"mapped\":\"a\"}}"))));
      String body =
          MarkedModels.search(raw.formatted(quoted("{\"term\":{\"own\":\"a\"}}")), 0, 5, 10);
      String own = body.replaceFirst("\\{", "{\"derived\":{" + derived.formatted("own") + "},");
      assertForbidden("r", send("POST", "/d/_search", own));
      assertStatus(200, search(raw.formatted(quoted("{\"match_all\":{}}"))));
      assertStatus(200, search(raw.formatted(quoted(wrapped("{\"match_all\":{}}")))));
      // A field of that name.
      String field = "{\"match\":{\"wrapper\":{\"query\":\"script\"}}}";
      assertStatus(200, search(raw.formatted(quoted(field))));
      assertStatus(200, send("PUT", BASE + "feature_sets/raw", RAW));
    } finally {
      scripts("null");
    }
    assertStatus(201, send("PUT", BASE + "feature_sets/again", SCRIPTED));
  }

  private static String wrapped(String query) {
    return wrapped(query, "");
  }

  /** With something between the second and the third quartet. */
  private static String wrapped(String query, String between) {
    byte[] bytes = query.getBytes(StandardCharsets.UTF_8);
    String text = Base64.getEncoder().encodeToString(bytes);
    return "{\"wrapper\":{\"query\":\""
        + text.substring(0, 8)
        + between
        + text.substring(8)
        + "\"}}";
  }

  private static String quoted(String json) {
    return '"' + json.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
