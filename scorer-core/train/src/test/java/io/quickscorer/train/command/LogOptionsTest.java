// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.search.LoggedSearch;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The searches that are timed are those whose hits were logged. */
final class LogOptionsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final JudgedQuery QUERY = JudgedQuery.of("q", "a \"b\" {{lang}}", Map.of("d", 1));

  private static ObjectNode search(String query, @Nullable String model) throws Exception {
    LogOptions log =
        CommandLine.populateCommand(
            new LogOptions(),
            "--index=i",
            "--feature-set=s",
            "--query=" + query,
            "--params={\"lang\": \"p\\\"t\", \"year\": 1999, \"tags\": [\"x\"]}");
    JsonNode set =
        JSON.readTree("{\"features\": [], \"default_params\": {\"lang\": \"en\", \"boost\": 1.5}}");
    LoggedSearch search = new LoggedSearch(log.origin(set, List.of(QUERY)));
    return model == null ? search.plain(QUERY) : search.rescored(QUERY, model, search.window());
  }

  private static void assertFilled(String expected, String query) throws Exception {
    ObjectNode search = search(query, null);
    assertEquals(JSON.readTree(expected), search.get("query"));
  }

  @Test
  void allParametersAreFilledIn() throws Exception {
    assertFilled(
        "{\"match\": {\"title\": \"a \\\"b\\\" {{lang}}\"}}",
        "{\"match\": {\"title\": \"{{keywords}}\"}}");
    assertFilled(
        "{\"match\": {\"p\\\"t\": \"1999 1.5 1999\"}}",
        "{\"query\": {\"match\": {\"{{ lang }}\": \"{{{year}}} {{boost}} {{&year}}\"}}}");
    assertFilled(
        "{\"terms\": {\"tag\": [\"x\"]}}",
        "{\"query\": \"{\\\"terms\\\": {\\\"tag\\\": {{{tags}}}}}\"}");
    assertFilled("{\"match_all\": {}}", "{\"match_all\": {}}");
  }

  @Test
  void aModelGetsTheRequestsParameters() throws Exception {
    ObjectNode search = search("{\"match_all\": {}}", "m");
    JsonNode clause = search.at("/rescore/quickscorer");
    assertEquals("m", clause.get("model").asString());
    assertEquals(
        JSON.readTree(
            "{\"lang\": \"p\\\"t\", \"year\": 1999, \"tags\": [\"x\"],"
                + " \"keywords\": \"a \\\"b\\\" {{lang}}\"}"),
        clause.get("params"));
  }

  /** Features relative to the window are refused otherwise. */
  @Test
  void theSearchHasTheScope() throws Exception {
    LogOptions log =
        CommandLine.populateCommand(
            new LogOptions(),
            "--index=i",
            "--feature-set=s",
            "--query={\"match\": {\"title\": \"{{keywords}}\"}}",
            "--scope=GLOBAL");
    JsonNode set = JSON.readTree("{\"features\": []}");
    LoggedSearch of = new LoggedSearch(log.origin(set, List.of(QUERY)));
    JudgedQuery query = new JudgedQuery("q", "hat", Map.of(), Map.of(), Map.of("country", "pt"));
    ObjectNode search = of.ranked(query, List.of("d1", "d2"), "m");
    assertEquals("global", search.at("/rescore/quickscorer/scope").asString());
    assertEquals("pt", search.at("/rescore/quickscorer/params/country").asString());
    assertEquals(2, search.at("/rescore/window_size").asInt());
    assertEquals("d2", search.at("/query/bool/filter/ids/values/1").asString());
    assertEquals("hat", search.at("/query/bool/must/match/title").asString());
  }

  @Test
  void otherTagsAreLeftToThePlugin() throws Exception {
    for (String tag :
        new String[] {"{{unknown}}", "{{#lang}}x{{/lang}}", "{{lang.a}}", "{{{unknown}}}"}) {
      String query = "{\"match\": {\"title\": \"{{keywords}} " + tag + "\"}}";
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> search(query, null), tag);
      assertTrue(
          refused.getMessage().startsWith("--query: found a template tag that is not of the form"),
          refused.getMessage());
    }
  }
}
