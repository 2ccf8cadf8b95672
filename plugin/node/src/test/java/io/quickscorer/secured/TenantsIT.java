// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.secured;

import static io.quickscorer.secured.Documents.API;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.NumberedTrees;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tenant searches with its own models and sets, and cannot tell those of others from none at all.
 */
@EnabledIfSystemProperty(named = "secured.home", matches = ".+", disabledReason = "-Psecurity")
final class TenantsIT {
  /** Where a name stands in a request. */
  private static final List<String> CLAUSES =
      List.of(
          "\"model\": \"%s\"",
          "\"models\": [\"ben-o\", \"%s\"]",
          "\"model\": \"ben-o\", \"shadow_models\": [\"%s\"]",
          "\"models\": [\"ben-o\", \"%s\"], \"interleave\": {\"seed\": 1}",
          "\"stages\": [{\"model\": \"%s\", \"keep\": 1}, {\"model\": \"ben-o\"}]",
          "\"stages\": [{\"model\": \"ben-o\", \"keep\": 1}, {\"model\": \"%s\"}]",
          "\"model\": \"%s\", \"budget_ms\": 60000",
          "\"feature_set\": \"%s\", \"log\": true");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path data;

  private static SecuredNode node;

  @BeforeAll
  static void start() throws Exception {
    node = SecuredNode.start(data);
    NodeClient admin = node.client(SecuredNode.ADMIN);
    Documents.create(admin);
    String features = "{\"features\": [{\"name\": \"p\", \"type\": \"field\", \"field\": \"p\"}]}";
    for (String tenant : List.of("ben", "anna")) {
      admin.put(API + "/feature_sets/" + tenant + "-f", features);
      // A name may be a model's and a set's.
      admin.put(API + "/feature_sets/" + tenant + "-m", features);
      admin.put(
          API + "/models/" + tenant + "-m?feature_set=" + tenant + "-f", NumberedTrees.file(1, 1));
      admin.put(API + "/aliases/" + tenant + "-live", "{\"model\": \"" + tenant + "-m\"}");
    }
    admin.put(API + "/models/ben-o?feature_set=ben-f", NumberedTrees.file(2, 1));
    admin.put("/_cluster/settings", "{\"persistent\": {\"quickscorer.rights.by_name\": true}}");
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static NodeClient.Answer search(String user, String clause, String name) {
    return node.client(user)
        .send("POST", Documents.INDEX + "/_search", Documents.search(clause.formatted(name)));
  }

  /** What is said of a name, with the name left out. */
  private static String said(NodeClient.Answer answer, String name) {
    return (answer.status() + " " + answer.body())
        .replace(name, "NAME")
        .replaceAll("\"took\":\\d+", "");
  }

  @Test
  void ownNamesCanBeUsed() {
    for (String clause : CLAUSES) {
      NodeClient.Answer answer = search(SecuredNode.TENANT, clause, "ben-m");
      assertEquals(200, answer.status(), () -> clause + ": " + answer);
    }
    NodeClient.Answer alias = search(SecuredNode.TENANT, CLAUSES.getFirst(), "ben-live");
    assertEquals(200, alias.status(), alias::toString);
  }

  @Test
  void namesOfOthersAreAsIfThereWereNone() {
    for (String clause : CLAUSES) {
      NodeClient.Answer others = search(SecuredNode.TENANT, clause, "anna-m");
      assertEquals(404, others.status(), () -> clause + ": " + others);
      assertEquals(
          said(search(SecuredNode.TENANT, clause, "ben-none"), "ben-none"), said(others, "anna-m"));
      assertEquals(
          said(search(SecuredNode.TENANT, clause, "anna-none"), "anna-none"),
          said(others, "anna-m"));
      assertEquals(200, search(SecuredNode.ADMIN, clause, "anna-m").status(), clause);
    }
    NodeClient.Answer alias = search(SecuredNode.TENANT, CLAUSES.getFirst(), "anna-live");
    assertEquals(404, alias.status(), alias::toString);
  }

  /** Who may search and has no right to any name, has none. */
  @Test
  void nothingIsGrantedByTheRightToSearch() {
    for (String clause : CLAUSES) {
      assertEquals(404, search(SecuredNode.SEARCHER, clause, "ben-m").status(), clause);
    }
  }

  @Test
  void listsAreOutOfReach() {
    NodeClient tenant = node.client(SecuredNode.TENANT);
    for (String path :
        List.of("/models", "/models/anna-m", "/feature_sets", "/aliases", "/stats")) {
      assertEquals(403, tenant.send("GET", API + path, "").status(), path);
    }
  }

  @Test
  void trainingFilesNeedTheSetToo() {
    NodeClient tenant = node.client(SecuredNode.TENANT);
    String log =
        "{\"index\": \"docs\", \"query\": {\"match_all\": {}},"
            + " \"queries\": [{\"qid\": 1, \"size\": 10}]}";
    String validate = "{\"index\": \"docs\", \"query\": {\"match_all\": {}}}";
    for (List<String> request : List.of(List.of("_log", log), List.of("_validate", validate))) {
      String path = API + "/feature_sets/%s/" + request.getFirst();
      assertEquals(
          200, tenant.send("POST", path.formatted("ben-f"), request.getLast()).status(), path);
      NodeClient.Answer others = tenant.send("POST", path.formatted("anna-f"), request.getLast());
      assertEquals(404, others.status(), others::toString);
    }
  }
}
