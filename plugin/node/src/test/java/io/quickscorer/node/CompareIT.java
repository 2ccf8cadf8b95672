// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.train.data.JudgedQuery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Interleaved searches of a real node, clicks of shoppers who mostly click what is good, their
 * events in an index as User Behavior Insights keeps them, and the comparison by these clicks.
 */
final class CompareIT {
  private static final String INDEX = "compare";
  private static final String EVENTS = "compare_ubi_events";
  private static final String OTHER = "compare-by-price";
  private static final int SEARCHES = 120;
  private static final JsonMapper JSON = new JsonMapper();

  /** More than one answer of the cluster has. */
  private static final int ROBOT_CLICKS = 5_100;

  private static NodeClient client;
  private static final StringBuilder BULK = new StringBuilder();

  @TempDir private Path temp;

  @BeforeAll
  static void searchAndClick() throws Exception {
    client = SharedNode.get().client();
    ShopOnNode shop = new ShopOnNode(client);
    shop.createIndex(INDEX, 2);
    shop.putModel(INDEX);
    client.put(
        "/_plugins/_quickscorer/models/" + OTHER + "?feature_set=" + ShopOnNode.FEATURE_SET,
        "[{\"nodeid\": 0, \"split\": \"price\", \"split_condition\": 50, \"yes\": 1, \"no\": 2,"
            + " \"missing\": 1, \"children\": [{\"nodeid\": 1, \"leaf\": 2.5},"
            + " {\"nodeid\": 2, \"leaf\": 1.5}]}]");
    client.put(
        "/" + EVENTS,
        "{\"mappings\": {\"properties\": {\"action_name\": {\"type\": \"keyword\"},"
            + " \"application\": {\"type\": \"keyword\"}, \"timestamp\": {\"type\": \"date\"}}}}");
    Random random = new Random(11);
    for (int s = 0; s < SEARCHES; s++) {
      List<JudgedQuery> queries = ShopOnNode.SHOP.queries();
      JudgedQuery query = queries.get(100 + s % 100);
      ObjectNode body = ShopOnNode.rescored(query, 100, 10);
      ObjectNode clause = (ObjectNode) body.at("/rescore/quickscorer");
      clause.remove(List.of("model", "log"));
      clause.putArray("models").add(ShopOnNode.MODEL).add(OTHER);
      clause.putObject("interleave").put("seed", s);
      for (JsonNode hit : client.post("/" + INDEX + "/_search", body.toString()).at("/hits/hits")) {
        String id = hit.get("_id").asString();
        if (random.nextInt(4) < query.judgments().getOrDefault(id, 0)) {
          String team = hit.at("/fields/_quickscorer/0/team").asString();
          event("click", "s" + s, "c" + s % 60, id, team, s);
        }
        event("impression", "s" + s, "c" + s % 60, id, "", s);
      }
    }
    for (int s = 0; s < ROBOT_CLICKS; s++) {
      event("click", "r" + s, "robot", "d", OTHER, SEARCHES + s);
    }
    client.post("/" + EVENTS + "/_bulk?refresh=true", BULK.toString());
  }

  private static void event(
      String action, String search, String user, String document, String team, int minute) {
    ObjectNode event = JSON.createObjectNode();
    event.put("application", "shop").put("action_name", action).put("query_id", search);
    event.put("client_id", user).put("timestamp", 1_790_000_000_000L + 60_000L * minute);
    ObjectNode attributes = event.putObject("event_attributes");
    attributes.putObject("object").put("object_id", document).put("object_id_field", "_id");
    if (!team.isEmpty()) {
      attributes.put("team", team);
    }
    BULK.append("{\"index\": {}}\n").append(event).append('\n');
  }

  private static String compare(String... more) throws Exception {
    List<String> line =
        new ArrayList<>(
            List.of(
                "compare",
                "--cluster",
                SharedNode.get().address().toString(),
                "--events-index",
                EVENTS));
    line.addAll(List.of(more));
    return TrainIT.run(line);
  }

  @Test
  void shoppersPreferTheModelThatLearnt() throws Exception {
    Path output = temp.resolve("comparison");
    String told = compare("--models", ShopOnNode.MODEL + "," + OTHER, "-o", output.toString());
    assertTrue(told.contains("[" + ShopOnNode.MODEL + "] is better"), told);
    assertTrue(
        told.contains("left out: " + (ROBOT_CLICKS - 50) + " after the first 50 of a client"),
        told);
    JsonNode json = JSON.readTree(Files.readString(output.resolve("compare.json")));
    assertEquals(ShopOnNode.MODEL, json.get("better").asString());
    assertEquals(0, json.get("events_left_out").size());
    assertTrue(Files.readString(output.resolve("compare.html")).contains("<svg"));
  }

  @Test
  void timesAndApplicationsChooseEvents() throws Exception {
    String before = compare("--to", "2026-09-21T15:00:00Z", "--application", "shop");
    assertTrue(before.contains("[" + ShopOnNode.MODEL + "]"), before);
    // A file of the same events, with other actions in it.
    Path file = Files.writeString(temp.resolve("events.ndjson"), BULK);
    String fromFile = TrainIT.run(List.of("compare", "--events", file.toString()));
    assertTrue(
        fromFile.contains("left out: " + 10 * SEARCHES + " of action [impression]"), fromFile);
    String whole = compare();
    assertEquals(
        whole.substring(whole.indexOf("searches with clicks")),
        fromFile.substring(fromFile.indexOf("searches with clicks")));
  }
}
