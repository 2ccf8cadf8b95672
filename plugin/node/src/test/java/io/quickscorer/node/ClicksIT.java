// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.JudgmentFile;
import io.quickscorer.train.data.Judgments;
import io.quickscorer.train.data.WorkbenchJudgments;
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
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Interleaved searches of a real node, clicks of shoppers who mostly click what is good, their
 * searches and events in indices as User Behavior Insights keeps them, and what is made of them:
 * the comparison of the two models, and judgments.
 */
final class ClicksIT {
  private static final String INDEX = "clicks";
  private static final String EVENTS = "clicks_ubi_events";
  private static final String OTHER = "clicks-by-price";
  private static final String QUERIES = "clicks_ubi_queries";
  private static final int SEARCHES = 240;
  private static final JsonMapper JSON = new JsonMapper();

  /** More than one answer of the cluster has. */
  private static final int ROBOT_CLICKS = 5_100;

  private static NodeClient client;
  private static final StringBuilder BULK = new StringBuilder();
  private static final StringBuilder SEARCHED = new StringBuilder();

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
      JudgedQuery query = queries.get(100 + s % 12);
      ObjectNode body = ShopOnNode.rescored(query, 100, 10);
      ObjectNode clause = (ObjectNode) body.at("/rescore/quickscorer");
      clause.remove(List.of("model", "log"));
      clause.putArray("models").add(ShopOnNode.MODEL).add(OTHER);
      clause.putObject("interleave").put("seed", s);
      ObjectNode record = JSON.createObjectNode();
      record
          .put("query_id", "s" + s)
          .put("user_query", query.text())
          .put("client_id", "c" + s % 60);
      record.put("timestamp", 1_790_000_000_000L + 60_000L * s);
      ArrayNode shown = record.putArray("query_response_hit_ids");
      for (JsonNode hit : client.post("/" + INDEX + "/_search", body.toString()).at("/hits/hits")) {
        String id = hit.get("_id").asString();
        if (random.nextInt(4) < query.judgments().getOrDefault(id, 0)) {
          String team = hit.at("/fields/_quickscorer/0/team").asString();
          event("click", "s" + s, "c" + s % 60, id, team, s, 0);
        }
        shown.add(id);
        event("impression", "s" + s, "c" + s % 60, id, "", s, shown.size() - 1);
      }
      SEARCHED.append("{\"index\": {}}\n").append(record).append('\n');
    }
    for (int s = 0; s < ROBOT_CLICKS; s++) {
      event("click", "r" + s, "robot", "d", OTHER, SEARCHES + s, 0);
    }
    client.post("/" + EVENTS + "/_bulk?refresh=true", BULK.toString());
    client.post("/" + QUERIES + "/_bulk?refresh=true", SEARCHED.toString());
  }

  private static void event(
      String action,
      String search,
      String user,
      String document,
      String team,
      int minute,
      int place) {
    ObjectNode event = JSON.createObjectNode();
    event.put("application", "shop").put("action_name", action).put("query_id", search);
    event.put("client_id", user).put("timestamp", 1_790_000_000_000L + 60_000L * minute);
    ObjectNode attributes = event.putObject("event_attributes");
    attributes.putObject("object").put("object_id", document).put("object_id_field", "_id");
    if (team.isEmpty()) {
      attributes.putObject("position").put("ordinal", place);
    } else {
      attributes.put("team", team);
    }
    BULK.append("{\"index\": {}}\n").append(event).append('\n');
  }

  private static String compare(String... more) throws Exception {
    return run("compare", more);
  }

  private static String run(String command, String... more) throws Exception {
    List<String> line =
        new ArrayList<>(
            List.of(
                command,
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

  @Test
  void clicksBecomeJudgments() throws Exception {
    Path output = temp.resolve("judged");
    String told =
        run("judge", "--searches-index", QUERIES, "--positions=10", "-o", output.toString());
    assertTrue(told.contains(SEARCHES + " searches, "), told);
    assertTrue(told.contains(ROBOT_CLICKS + " searches without impressions or ["), told);
    assertTrue(told.contains("        1  1.000 (1.000 to 1.000)"), told);
    // Shoppers look at all ten hits alike, and click by the grade.
    double[] sum = new double[2];
    int[] number = new int[2];
    Judgments judged =
        JudgmentFile.read(output.resolve("judgments.tsv"), null, Judgments.Conflict.ERROR);
    for (JudgedQuery query : judged.queries()) {
      JudgedQuery truth =
          ShopOnNode.SHOP.queries().stream()
              .filter(one -> one.text().equalsIgnoreCase(query.text()))
              .findFirst()
              .orElseThrow();
      query
          .judgments()
          .forEach(
              (id, grade) -> {
                sum[grade > 1 ? 1 : 0] += truth.grade(id);
                number[grade > 1 ? 1 : 0]++;
              });
    }
    assertTrue(sum[1] / number[1] > sum[0] / number[0] + 0.5, told);
    assertTrue(Files.readString(output.resolve("judgments.html")).contains("<svg"));
    JsonNode list = JSON.readTree(Files.readString(output.resolve("judgments.json")));
    assertEquals(
        judged, WorkbenchJudgments.read(list, Judgments.Conflict.ERROR), "the same judgments");
    trainsOnSearches(output);
  }

  /** The trainer itself corrects for positions. */
  private void trainsOnSearches(Path judged) throws Exception {
    Path training = temp.resolve("training");
    List<String> line = new ArrayList<>(List.of("train", "--cluster"));
    line.add(SharedNode.get().address().toString());
    line.addAll(List.of("--index", INDEX, "--feature-set", ShopOnNode.FEATURE_SET));
    line.addAll(List.of("--query", TrainIT.QUERY, "--size", "100", "--trees", "5"));
    line.addAll(List.of("--judgments", judged.resolve("judgments.tsv").toString()));
    line.addAll(List.of("--clicks", judged.resolve("searches.tsv").toString()));
    line.addAll(List.of("--allow-constant", "-o", training.toString()));
    String told = TrainIT.run(line);
    assertTrue(told.contains(" single searches of "), told);
    JsonNode made = JSON.readTree(Files.readString(training.resolve("training.json")));
    assertFalse(made.get("clicks").get(0).asString().startsWith("0 "), told);
    assertTrue(Files.readString(training.resolve("model.txt")).contains("lambdarank"), told);
  }
}
