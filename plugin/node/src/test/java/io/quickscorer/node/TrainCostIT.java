// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.train.data.JudgedQuery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The ranking that costs least, looked for on the generated shop in a node. No time is asserted.
 */
final class TrainCostIT {
  private static final String INDEX = "cost";
  private static final int QUERIES = 24;
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private static Path temp;
  private static Path judgments;

  @BeforeAll
  static void index() throws Exception {
    new ShopOnNode(SharedNode.get().client()).createIndex(INDEX, 1);
    StringBuilder table = new StringBuilder("query_id\tquery\tdoc_id\tgrade\n");
    for (JudgedQuery query : ShopOnNode.SHOP.queries().subList(0, QUERIES)) {
      for (Map.Entry<String, Integer> judged : query.judgments().entrySet()) {
        table.append(query.id()).append('\t').append(query.text()).append('\t');
        table.append(judged.getKey()).append('\t').append(judged.getValue()).append('\n');
      }
    }
    judgments = Files.writeString(temp.resolve("judgments.tsv"), table);
  }

  private static JsonNode trained(String trainer, Path folder, String... more) throws Exception {
    List<String> line = new ArrayList<>(List.of("train", "--cluster"));
    line.add(SharedNode.get().address().toString());
    line.addAll(List.of("--index", INDEX, "--feature-set", ShopOnNode.FEATURE_SET));
    line.addAll(List.of("--judgments", judgments.toString(), "--query", TrainIT.QUERY));
    line.addAll(List.of("--size", "30", "--trees", "20", "--trainer", trainer, "--cost"));
    line.addAll(List.of("-o", folder.toString()));
    line.addAll(List.of(more));
    String told = TrainIT.run(line);
    assertTrue(told.contains("cheapest ranking not distinguishable from the best"), told);
    return JSON.readTree(Files.readString(folder.resolve("cost.json")));
  }

  private static List<String> names(JsonNode point) {
    return point.get("features").valueStream().map(JsonNode::asString).toList();
  }

  private static JsonNode named(JsonNode cost, String name) {
    return cost.get("points")
        .valueStream()
        .filter(point -> point.get("name").asString().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in " + cost));
  }

  /** What must hold whatever the machine's speed is. */
  private static void check(JsonNode cost) {
    JsonNode all = cost.at("/points/0");
    assertEquals(names(all).size(), cost.get("features").size(), cost::toString);
    double best = 0;
    for (JsonNode point : cost.get("points")) {
      best = Math.max(best, point.get("ndcg").asDouble());
      assertTrue(names(all).containsAll(names(point)), point::toString);
      assertTrue(point.at("/times/searchMillis").asDouble() > 0, point::toString);
      assertTrue(point.at("/times/coreMicros").asDouble() > 0, point::toString);
    }
    for (JsonNode point : cost.get("points")) {
      double ndcg = point.get("ndcg").asDouble();
      assertEquals(ndcg - best, point.at("/toBest/mean").asDouble(), 1e-9, point::toString);
      assertTrue(ndcg < best || point.get("isEqual").asBoolean(), point::toString);
    }
    JsonNode one = named(cost, "1 feature");
    assertEquals(1, one.get("features").size());
    assertTrue(
        cost.get("features")
            .valueStream()
            .anyMatch(feature -> feature.at("/permuted/mean").asDouble() < 0),
        "shuffling every feature changes nothing: " + cost);
    for (JsonNode feature : cost.get("features")) {
      assertTrue(feature.get("aloneMicros").asDouble() >= 0, feature::toString);
    }
  }

  @Test
  void theCheapestEqualIsUploaded() throws Exception {
    Path folder = temp.resolve("lightgbm");
    JsonNode cost = trained("LIGHTGBM", folder, "--pick", "cheapest-equal", "--upload", "cheap");
    check(cost);
    named(cost, "cegb_tradeoff 1.0");
    JsonNode made = JSON.readTree(Files.readString(folder.resolve("training.json")));
    JsonNode picked = named(cost, made.get("picked").asString());
    assertTrue(picked.get("isEqual").asBoolean(), picked.toString());
    // What was uploaded is the picked model, and computes only its features.
    NodeClient client = SharedNode.get().client();
    Set<String> used = new HashSet<>();
    client
        .get("/_plugins/_quickscorer/models/cheap")
        .get("features_used")
        .forEach(name -> used.add(name.asString()));
    assertEquals(Set.copyOf(names(picked)), used);
    String models = client.get("/_plugins/_quickscorer/models").toString();
    assertFalse(models.contains("quickscorer-cost-"), models);
    String report = Files.readString(folder.resolve("report.html"));
    assertTrue(report.contains("Which features can be removed?"), report);
    assertFalse(report.contains("NaN"), report);
  }

  @Test
  void xgboostIsWeighedByEliminationAlone() throws Exception {
    JsonNode cost = trained("XGBOOST", temp.resolve("xgboost"));
    check(cost);
    assertFalse(cost.toString().contains("cegb"), cost.toString());
  }
}
