// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.secured;

import static io.quickscorer.secured.Documents.API;
import static io.quickscorer.secured.SecuredNode.ADMIN;
import static io.quickscorer.secured.SecuredNode.CUSTOMER;
import static io.quickscorer.secured.SecuredNode.INDEXER;
import static io.quickscorer.secured.SecuredNode.MONITOR;
import static io.quickscorer.secured.SecuredNode.SEARCHER;
import static io.quickscorer.secured.SecuredNode.TENANT;
import static io.quickscorer.secured.SecuredNode.TRAINER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.NumberedTrees;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** What each user may do, request by request, over TLS with the real security plugin. */
@EnabledIfSystemProperty(named = "secured.home", matches = ".+", disabledReason = "-Psecurity")
final class PermissionsIT {
  private static final String INDEX = "/.quickscorer-models";
  private static final String SEARCH_DOCS = "\"index\": \"docs\", \"query\": {\"match_all\": {}}";

  private static final Set<String> READERS = Set.of(ADMIN, MONITOR, TRAINER);
  private static final Set<String> WRITERS = Set.of(ADMIN, TRAINER);
  private static final Set<String> EXPORTERS = Set.of(ADMIN, TRAINER, CUSTOMER, TENANT);
  private static final Set<String> SEARCHERS =
      Set.of(ADMIN, TRAINER, SEARCHER, CUSTOMER, TENANT, INDEXER);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path data;

  private static SecuredNode node;

  /** One row of the table: all others get 403. */
  private record Row(String method, String path, String body, Set<String> allowed) {
    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  static Stream<Row> table() {
    String featureSet =
        "{\"features\": [{\"name\": \"p\", \"type\": \"field\", \"field\": \"p\"}]}";
    return Stream.of(
        new Row("GET", API + "/feature_sets", "", READERS),
        new Row("GET", API + "/feature_sets/f", "", READERS),
        new Row("PUT", API + "/feature_sets/g", featureSet, WRITERS),
        new Row("DELETE", API + "/feature_sets/g", "", WRITERS),
        new Row("GET", API + "/models", "", READERS),
        new Row("GET", API + "/models/m", "", READERS),
        new Row("GET", API + "/models/m/_importance", "", READERS),
        new Row("GET", API + "/models/m/_drift", "", READERS),
        new Row("GET", API + "/models/m/_drift?values=true", "", WRITERS),
        new Row("PUT", API + "/models/n?feature_set=f", NumberedTrees.file(2, 1), WRITERS),
        new Row("DELETE", API + "/models/n", "", WRITERS),
        new Row("PUT", API + "/aliases/live", "{\"model\": \"m\"}", WRITERS),
        new Row("GET", API + "/aliases/live", "", READERS),
        new Row("GET", API + "/aliases", "", READERS),
        new Row("DELETE", API + "/aliases/live", "", WRITERS),
        new Row("GET", API + "/stats", "", READERS),
        new Row("GET", API + "/ready", "", READERS),
        new Row("GET", API + "/_prometheus", "", READERS),
        new Row("GET", API + "/_export", "", WRITERS),
        new Row("GET", API + "/models/m/_file", "", WRITERS),
        new Row("GET", API + "/comparisons", "", READERS),
        new Row("GET", API + "/ui", "", READERS),
        new Row("GET", API, "", READERS),
        new Row("GET", API + "/_cat/models", "", READERS),
        new Row("GET", API + "/_cat/aliases", "", READERS),
        new Row("GET", API + "/_cat/feature_sets", "", READERS),
        new Row(
            "POST",
            API + "/_import",
            """
            {"_index": ".ltrstore", "_id": "featureset-i", "found": true, "_source":
              {"name": "i", "type": "featureset", "featureset": {"name": "i", "features": [
                {"name": "t", "params": [], "template_language": "mustache",
                 "template": {"match_all": {}}}]}}}
            """,
            WRITERS),
        new Row("POST", API + "/_import", "{\"exported\": \"\"}", WRITERS),
        new Row(
            "POST",
            API + "/feature_sets/f/_log",
            "{" + SEARCH_DOCS + ", \"queries\": [{\"qid\": 1, \"size\": 10}]}",
            EXPORTERS),
        new Row("POST", API + "/feature_sets/f/_validate", "{" + SEARCH_DOCS + "}", EXPORTERS),
        new Row("POST", "/docs/_search", Documents.search("\"model\": \"m\""), SEARCHERS),
        new Row(
            "POST",
            "/docs/_search",
            Documents.search("\"feature_set\": \"f\", \"log\": true"),
            SEARCHERS));
  }

  @BeforeAll
  static void start() throws Exception {
    node = SecuredNode.start(data);
    NodeClient admin = node.client(ADMIN);
    Documents.create(admin);
    admin.put(API + "/models/m?feature_set=f", NumberedTrees.file(1, 1));
    admin.put("/others", "{\"settings\": {\"number_of_replicas\": 0}}");
    admin.put("/others/_doc/1?refresh=true", "{\"owners\": [\"anna\", \"ben\"]}");
    prepare();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /** What rows need to be there, again after one has deleted it. */
  private static void prepare() {
    NodeClient admin = node.client(ADMIN);
    admin.put(
        API + "/feature_sets/g",
        "{\"features\": [{\"name\": \"p\", \"type\": \"field\", \"field\": \"p\"}]}");
    admin.put(API + "/models/n?feature_set=g", NumberedTrees.file(2, 1));
    admin.put(API + "/aliases/live", "{\"model\": \"m\"}");
  }

  @ParameterizedTest
  @MethodSource("table")
  void requestIsAllowedToThoseOfItsRow(Row row) {
    for (String user : SecuredNode.USERS) {
      if (row.method.equals("DELETE")) {
        prepare();
      }
      // As it comes: some responses are lines or text.
      HttpResponse<String> answer =
          node.client(user).exchange(row.method, row.path, "application/json", row.body);
      if (row.allowed.contains(user)) {
        assertTrue(answer.statusCode() < 300, () -> user + ": " + answer + answer.body());
      } else {
        assertEquals(403, answer.statusCode(), () -> user + ": " + answer + answer.body());
      }
    }
  }

  @Test
  void nobodyGetsInWithoutAPassword() {
    assertEquals(401, node.client(ADMIN, "another").send("GET", API + "/models", "").status());
  }

  /** Rules hold for what features see, wherever they are shown. */
  @Test
  void customerSeesWhatIsHis() {
    NodeClient customer = node.client(CUSTOMER);
    for (String clause :
        new String[] {
          "\"model\": \"m\"",
          "\"model\": \"m\", \"log\": true",
          "\"model\": \"m\", \"log\": true, \"algorithm\": \"object\"",
          "\"feature_set\": \"f\", \"log\": true"
        }) {
      Documents.assertCustomersOnly(
          customer.post(Documents.INDEX + "/_search", Documents.search(clause)));
    }
    Documents.assertEverything(
        node.client(SEARCHER)
            .post(
                Documents.INDEX + "/_search", Documents.search("\"model\": \"m\", \"log\": true")));
  }

  @Test
  void trainingFileHoldsWhatTheUserMaySee() {
    String body =
        "{"
            + SEARCH_DOCS
            + ", \"format\": \"ndjson\", \"queries\": [{\"qid\": 1, \"size\": 1000}]}";
    String file =
        node.client(CUSTOMER)
            .exchange("POST", API + "/feature_sets/f/_log", "application/json", body)
            .body();
    assertEquals(1 + Documents.OWN, file.lines().count(), file);
  }

  /** Profiles are not for users under rules; what a set is worth is. */
  @Test
  void validationUnderRulesLeavesCostsOut() {
    JsonNode answer =
        node.client(CUSTOMER)
            .post(API + "/feature_sets/f/_validate", "{" + SEARCH_DOCS + ", \"size\": 1000}");
    assertEquals(Documents.OWN, answer.get("hits").asInt(), answer::toString);
    assertTrue(answer.has("not_measured"), answer::toString);
    for (JsonNode feature : answer.get("features")) {
      if (feature.get("name").asString().equals("secret")) {
        assertEquals(0, feature.get("values").asInt(), answer::toString);
      }
    }
  }

  /** A query that looks values up in another index needs the right to read that one too. */
  @Test
  void lookUpsRunWithTheCallersRights() {
    node.client(ADMIN)
        .put(
            API + "/feature_sets/looks-up",
            """
            {"features": [{"name": "p", "type": "field", "field": "p"},
              {"name": "t", "type": "query", "query": {"terms": {"owner": {
                "index": "others", "id": "1", "path": "owners"}}}}]}
            """);
    String search = Documents.search("\"feature_set\": \"looks-up\", \"log\": true");
    assertEquals(200, node.client(INDEXER).send("POST", "/docs/_search", search).status());
    NodeClient.Answer answer = node.client(SEARCHER).send("POST", "/docs/_search", search);
    assertEquals(403, answer.status(), answer::toString);
  }

  /** The index of models is the plugin's alone, whoever has every right on every index. */
  @Test
  void hiddenIndexIsOutOfReach() {
    for (String user : SecuredNode.USERS) {
      NodeClient client = node.client(user);
      NodeClient.Answer found = client.send("GET", INDEX + "/_search", "");
      assertTrue(
          found.status() == 403 || found.body().at("/hits/total/value").asInt() == 0,
          () -> user + ": " + found);
      for (String id : new String[] {"x", "y"}) {
        NodeClient.Answer read = client.send("GET", INDEX + "/_doc/" + id, "");
        assertTrue(read.status() == 403 || read.status() == 404, () -> user + ": " + read);
      }
      assertRefused(user, client.send("PUT", INDEX + "/_doc/x", "{}"));
      assertRefused(
          user,
          client.send("POST", INDEX + "/_delete_by_query", "{\"query\": {\"match_all\": {}}}"));
      assertRefused(user, client.send("PUT", INDEX + "/_settings", "{\"index.hidden\": false}"));
      assertRefused(user, client.send("POST", INDEX + "/_close", ""));
      assertRefused(user, client.send("DELETE", INDEX, ""));
    }
    assertEquals(200, node.client(MONITOR).send("GET", API + "/feature_sets/f", "").status());
  }

  private static void assertRefused(String user, NodeClient.Answer answer) {
    assertEquals(403, answer.status(), () -> user + ": " + answer);
  }
}
