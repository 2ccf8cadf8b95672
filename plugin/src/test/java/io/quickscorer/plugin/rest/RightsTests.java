// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.lessThan;

import io.quickscorer.plugin.testing.GrantedActions;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.opensearch.action.search.SearchAction;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** The table of rights in the documentation, row by row. */
@ClusterScope(
    scope = Scope.TEST,
    numDataNodes = 2,
    numClientNodes = 1,
    supportsDedicatedMasters = false)
public class RightsTests extends QuickScorerHttpTestCase {
  private static final String ADMIN = "cluster:admin/quickscorer/";
  private static final String CLAUSE =
      "\"query\":{\"match_all\":{}},\"params\":{},\"size\":5,\"index\":\"d\"";

  /** What a request takes, and nothing besides. */
  private record Row(String method, String path, String body, String... actions) {}

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(GrantedActions.class);
    return plugins;
  }

  private static final List<Row> TABLE =
      List.of(
          new Row(
              "PUT", BASE + "feature_sets/g", MarkedModels.FEATURE_SET, ADMIN + "feature_set/put"),
          new Row("GET", BASE + "feature_sets/g", "", ADMIN + "feature_set/get"),
          new Row("GET", BASE + "feature_sets", "", ADMIN + "feature_set/get"),
          new Row(
              "PUT", BASE + "models/n?feature_set=g", MarkedModels.file(3), ADMIN + "model/put"),
          new Row("GET", BASE + "models/n", "", ADMIN + "model/get"),
          new Row("GET", BASE + "models", "", ADMIN + "model/get"),
          new Row("GET", BASE + "models/n/_importance", "", ADMIN + "model/importance"),
          new Row("GET", BASE + "models/n/_drift", "", ADMIN + "model/drift"),
          new Row("GET", BASE + "models/n/_drift?values=true", "", ADMIN + "model/drift/values"),
          new Row("PUT", BASE + "aliases/live", "{\"model\":\"n\"}", ADMIN + "alias/put"),
          new Row("GET", BASE + "aliases/live", "", ADMIN + "alias/get"),
          new Row("DELETE", BASE + "aliases/live", "", ADMIN + "alias/delete"),
          new Row("GET", BASE + "stats", "", ADMIN + "stats/get"),
          new Row("GET", BASE + "ui", "", ADMIN + "ui/get"),
          new Row("GET", "/_plugins/_quickscorer", "", ADMIN + "ui/get"),
          new Row("GET", BASE + "comparisons", "", ADMIN + "comparison/get"),
          new Row("GET", BASE + "comparisons/x", "", ADMIN + "comparison/get"),
          new Row("DELETE", BASE + "comparisons/x", "", ADMIN + "comparison/reset"),
          new Row("GET", BASE + "ready", "", "cluster:monitor/quickscorer/ready"),
          new Row("GET", BASE + "_prometheus", "", ADMIN + "stats/get"),
          new Row("GET", BASE + "_export", "", ADMIN + "export"),
          new Row("GET", BASE + "models/n/_file", "", ADMIN + "model/file"),
          new Row("POST", BASE + "_import", "{\"exported\":\"\"}", ADMIN + "import/all"),
          new Row(
              "GET",
              BASE + "_cat/models",
              "",
              ADMIN + "model/get",
              ADMIN + "alias/get",
              ADMIN + "stats/get"),
          new Row("GET", BASE + "_cat/aliases", "", ADMIN + "alias/get"),
          new Row("GET", BASE + "_cat/feature_sets", "", ADMIN + "feature_set/get"),
          new Row(
              "POST",
              BASE + "_import",
              "{\"_index\":\".ltrstore\",\"_id\":\"featureset-imported\",\"found\":true,\"_source\":"
                  + "{\"name\":\"imported\",\"type\":\"featureset\",\"featureset\":"
                  + "{\"name\":\"imported\",\"features\":[{\"name\":\"t\",\"params\":[],"
                  + "\"template_language\":\"mustache\",\"template\":{\"match_all\":{}}}]}}}",
              ADMIN + "import",
              ADMIN + "feature_set/put"),
          new Row("POST", "/d/_search", MarkedModels.search("m", 10), SearchAction.NAME),
          new Row(
              "POST",
              "/d/_search",
              MarkedModels.search("\"models\":[\"m\",\"n\"],\"interleave\":{\"seed\":1}", 0, 5, 10),
              SearchAction.NAME),
          new Row(
              "POST",
              "/d/_search",
              MarkedModels.search("\"feature_set\":\"f\"", 0, 5, 10),
              SearchAction.NAME),
          new Row(
              "POST",
              BASE + "feature_sets/f/_log",
              "{\"index\":\"d\",\"queries\":[{\"ids\":[\"1\",\"2\"]},"
                  + "{\"query\":{\"match_all\":{}}},{\"ids\":[\"3\"]}]}",
              ADMIN + "feature_set/log",
              SearchAction.NAME),
          new Row(
              "POST",
              BASE + "feature_sets/f/_validate",
              "{" + CLAUSE + "}",
              ADMIN + "feature_set/validate",
              SearchAction.NAME),
          new Row("DELETE", BASE + "models/n", "", ADMIN + "model/delete"),
          new Row("DELETE", BASE + "feature_sets/g", "", ADMIN + "feature_set/delete"));

  private void begin() throws Exception {
    MarkedModels.createIndex(
        (method, path, body) -> assertEquals(200, send(method, path, body).status()), "d", 2, 40);
    assertStatus(201, send("PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET));
    assertStatus(201, send("PUT", BASE + "models/m?feature_set=f", MarkedModels.file(7)));
  }

  public void testEachTakesItsOwnActionsAndNoOther() throws Exception {
    begin();
    for (Row row : TABLE) {
      for (String missing : row.actions) {
        GrantedActions.grant(
            "nobody",
            Stream.of(row.actions).filter(one -> !one.equals(missing)).toArray(String[]::new));
        Answer refused = sendAs("nobody", row.method, row.path, row.body);
        assertEquals(row + ": " + refused.body(), 403, refused.status());
        assertThat(row.toString(), refused.body(), containsString("[" + missing + "]"));
      }
      GrantedActions.grant("somebody", row.actions);
      Answer done = sendAs("somebody", row.method, row.path, row.body);
      assertThat(row + ": " + done.body(), done.status(), lessThan(300));
    }
  }

  /** What may not be used is answered as what is not there, whoever it belongs to. */
  public void testModelsAndSetsAreUsedByName() throws Exception {
    begin();
    assertStatus(201, send("PUT", BASE + "models/n?feature_set=f", MarkedModels.file(3)));
    assertStatus(201, send("PUT", BASE + "aliases/live", "{\"model\":\"n\"}"));
    GrantedActions.grant("somebody", SearchAction.NAME);
    assertStatus(200, search("\"model\":\"n\""));
    settings("true");
    try {
      String model = ADMIN + "model/use/";
      GrantedActions.grant("somebody", SearchAction.NAME, model + "m", model + "none");
      assertStatus(200, search("\"model\":\"m\""));
      String missing = missing("\"model\":\"none\"", "none");
      assertEquals(missing, missing("\"model\":\"n\"", "n"));
      assertEquals(missing, missing("\"model\":\"live\"", "live"));
      assertEquals(missing, missing("\"model\":\"Not A Name\"", "Not A Name"));
      assertEquals(missing, missing("\"models\":[\"m\",\"n\"]", "n"));
      assertEquals(missing, missing("\"model\":\"m\",\"shadow_models\":[\"n\"]", "n"));
      assertEquals(missing, missing("\"models\":[\"m\",\"n\"],\"interleave\":{\"seed\":1}", "n"));
      assertEquals(missing, missing("\"model\":\"none2\"", "none2"));
      // The name that the request uses counts.
      GrantedActions.grant("somebody", SearchAction.NAME, model + "live");
      assertStatus(200, search("\"model\":\"live\""));
      assertEquals(missing, missing("\"model\":\"n\"", "n"));
      // Sets likewise, in every kind of search.
      String log = "{\"index\":\"d\",\"queries\":[{\"ids\":[\"1\"]}]}";
      String set = ADMIN + "feature_set/";
      GrantedActions.grant("somebody", SearchAction.NAME, set + "log", set + "use/none");
      String noSet = missing("\"feature_set\":\"none\"", "none");
      assertEquals(noSet, missing("\"feature_set\":\"f\"", "f"));
      assertStatus(404, sendAs("somebody", "POST", BASE + "feature_sets/f/_log", log));
      GrantedActions.grant("somebody", SearchAction.NAME, set + "log", set + "use/f");
      assertStatus(200, search("\"feature_set\":\"f\""));
      assertStatus(200, sendAs("somebody", "POST", BASE + "feature_sets/f/_log", log));
    } finally {
      settings("null");
    }
    assertStatus(200, search("\"model\":\"n\""));
  }

  private void settings(String byName) throws Exception {
    assertStatus(
        200,
        send(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"quickscorer.rights.by_name\":" + byName + "}}"));
  }

  private static Answer search(String clause) throws Exception {
    return sendAs("somebody", "POST", "/d/_search", MarkedModels.search(clause, 0, 5, 10));
  }

  /** The answer to a search for what is not there, without its name. */
  private static String missing(String clause, String name) throws Exception {
    Answer missing = search(clause);
    assertStatus(404, missing);
    return missing.body().replace("[" + name + "]", "[NAME]");
  }

  /** Under rules on documents nothing may be profiled: then costs are left out, with the reason. */
  public void testValidationWithoutAProfile() throws Exception {
    begin();
    GrantedActions.grant("somebody", ADMIN + "feature_set/validate", SearchAction.NAME);
    String path = BASE + "feature_sets/f/_validate";
    Answer without = sendAs("somebody", "POST", path, "{" + CLAUSE + "}");
    assertStatus(200, without);
    assertEquals("Profiling is not supported when DLS is activated", without.at("not_measured"));
    assertFalse(without.body(), without.body().contains("nanos_per_document"));
    assertThat(without.body(), containsString("\"values\":5"));
    Answer with = send("POST", path, "{" + CLAUSE + "}");
    assertStatus(200, with);
    assertThat(with.body(), containsString("\"nanos_per_document\""));
    assertFalse(with.body(), with.body().contains("not_measured"));
  }
}
