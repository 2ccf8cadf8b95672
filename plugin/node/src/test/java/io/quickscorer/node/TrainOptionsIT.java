// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quickscorer.train.data.FeatureLog;
import io.quickscorer.train.data.JudgedQuery;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Options of the command line that {@link TrainIT} leaves out, on the same shop; one log of it. */
final class TrainOptionsIT {
  private static final String INDEX = "train_options";
  private static final JsonMapper JSON = new JsonMapper();
  private static final String[] LOGGED = {
    "--index",
    INDEX,
    "--feature-set",
    ShopOnNode.FEATURE_SET,
    "--query",
    TrainIT.QUERY,
    "--size",
    "20"
  };

  @TempDir private static Path temp;
  private static String[] qrels = {};
  private static Path features = Path.of("");

  @BeforeAll
  static void log() throws Exception {
    new ShopOnNode(SharedNode.get().client()).createIndex(INDEX, 1);
    qrels = qrels("shop", ShopOnNode.SHOP.queries());
    features = temp.resolve("features.ndjson");
    run("log", LOGGED, qrels, onNode("-o", features.toString()));
  }

  private static String run(String command, String[]... parts) throws Exception {
    List<String> line = new ArrayList<>(List.of(command));
    for (String[] part : parts) {
      line.addAll(List.of(part));
    }
    return TrainIT.run(line);
  }

  private static String[] onNode(String... more) throws Exception {
    List<String> options =
        new ArrayList<>(List.of("--cluster", SharedNode.get().address().toString()));
    options.addAll(List.of(more));
    return options.toArray(String[]::new);
  }

  /** Judgments as TREC has them, and the texts of the queries. */
  private static String[] qrels(String name, List<JudgedQuery> queries) throws IOException {
    List<String> judged = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (JudgedQuery query : queries) {
      texts.add(query.id() + "\t" + query.text());
      query.judgments().forEach((id, grade) -> judged.add(query.id() + " 0 " + id + " " + grade));
    }
    return new String[] {
      "--judgments",
      Files.write(temp.resolve(name + ".qrels"), judged).toString(),
      "--queries",
      Files.write(temp.resolve(name + ".queries"), texts).toString()
    };
  }

  private static JsonNode json(Path file) throws IOException {
    return JSON.readTree(Files.readString(file));
  }

  /** A folder as {@code train} leaves it after logging. */
  private static Path logged(String name) throws IOException {
    Path folder = Files.createDirectory(temp.resolve(name));
    Files.copy(features, folder.resolve(features.getFileName()));
    return folder;
  }

  private static boolean hasAlias(String alias) throws Exception {
    return !SharedNode.get()
        .client()
        .send("GET", "/_plugins/_quickscorer/aliases/" + alias, "")
        .isError();
  }

  /** XGBoost, of several parameters the best, and titles; then an evaluation alone. */
  @Test
  void xgBoostIsSearchedForAndJudgedAgain() throws Exception {
    Path folder = logged("xgboost");
    String said =
        run(
            "train",
            LOGGED,
            qrels,
            onNode("-o", folder.toString(), "--trainer", "xgboost", "--search", "--trees", "12"),
            new String[] {"--patience", "4", "-P", "max_dept=3", "--title-field", "description"},
            new String[] {"--upload", "shop_by_xgboost", "--alias", "shop_by_xgboost_live"});
    assertTrue(said.contains("\"max_dept\""), said);
    assertTrue(said.contains("continuing after "), "nothing is logged twice: " + said);
    JsonNode made = json(folder.resolve("training.json"));
    assertTrue(made.get("trainer").asString().startsWith("XGBoost"), made.toString());
    JsonNode parameters = made.get("parameters");
    assertTrue(Set.of("3", "5", "7").contains(parameters.get("max_depth").asString()));
    assertTrue(Set.of("0.03", "0.1").contains(parameters.get("learning_rate").asString()));
    assertEquals("ndcg@10", made.at("/curve/measure").asString());
    assertTrue(json(folder.resolve("result.json")).get("better").asBoolean());
    assertTrue(hasAlias("shop_by_xgboost_live"), said);
    String page = Files.readString(folder.resolve("report.html"));
    assertTrue(
        ShopOnNode.SHOP.documents().stream()
            .anyMatch(d -> page.contains(d.source().get("description").asString())),
        "documents go by the field that was asked for");

    Path result = folder.resolve("result.json");
    JsonNode before = json(result);
    Files.delete(result);
    run("evaluate", new String[] {folder.toString()}, qrels, onNode());
    assertEquals(before, json(result));
    List<String> held = made.get("held_out").valueStream().map(JsonNode::asString).toList();
    String[] fewer =
        qrels(
            "fewer",
            ShopOnNode.SHOP.queries().stream()
                .filter(query -> !query.id().equals(held.getFirst()))
                .toList());
    run("evaluate", new String[] {folder.toString(), "--depth", "5"}, fewer);
    assertEquals(before.get("queries").asInt() - 1, json(result).get("queries").asInt());
    assertEquals(1, json(result).get("held_out_left_out").asInt());
    assertEquals(5, json(result).get("depth").asInt());
  }

  /** Grades by chance teach nothing: the model is there, and no search gets it. */
  @Test
  void theAliasStaysWhereTheGainIsNoise() throws Exception {
    Random random = new Random(11);
    List<String> ids = ShopOnNode.SHOP.documents().stream().map(d -> d.id()).toList();
    String[] chance =
        qrels(
            "chance",
            ShopOnNode.SHOP.queries().stream()
                .map(
                    query ->
                        JudgedQuery.of(
                            query.id(),
                            query.text(),
                            ids.stream()
                                .filter(id -> random.nextInt(4) == 0)
                                .collect(Collectors.toMap(id -> id, id -> 1))))
                .toList());
    Path folder = logged("chance");
    String said =
        run(
            "train",
            chance,
            onNode("-o", folder.toString(), "--trees", "5", "--feature-set", "shop"),
            new String[] {"--upload", "shop_by_chance", "--alias", "shop_by_chance_live"});
    assertFalse(json(folder.resolve("result.json")).get("better").asBoolean(), said);
    assertTrue(said.contains("alias shop_by_chance_live is not moved"), said);
    SharedNode.get().client().get("/_plugins/_quickscorer/models/shop_by_chance");
    assertFalse(hasAlias("shop_by_chance_live"));
  }

  private static List<String> texts(Path log) throws Exception {
    return FeatureLog.read(log).lines().stream().map(FeatureLog.Line::text).toList();
  }

  /** Every row once, each file with one head, whatever the pieces in which it came. */
  @Test
  void filesThatNoTrainerOwnsHaveTheSameRows() throws Exception {
    List<String> names = ShopOnNode.featureNames();
    List<String> rows = texts(features);
    Path ndjson = temp.resolve("shop.ndjson");
    run("log", LOGGED, qrels, onNode("--format", "ndjson", "-o", ndjson.toString()));
    assertEquals(names, FeatureLog.read(ndjson).names());
    assertEquals(rows, texts(ndjson));

    Path csv = temp.resolve("shop.csv");
    run("log", LOGGED, qrels, onNode("--format", "csv", "-o", csv.toString()));
    List<String> table = Files.readAllLines(csv);
    assertEquals("label,qid,_id," + String.join(",", names), table.getFirst());
    assertEquals(rows.stream().map(row -> csv(json(row))).toList(), table.subList(1, table.size()));
  }

  private static JsonNode json(String line) {
    return JSON.readTree(line);
  }

  /** A float as the double that it is, a whole number without a point. */
  private static String text(JsonNode value) {
    double exact = value.floatValue();
    return exact == Math.rint(exact) ? Long.toString((long) exact) : Double.toString(exact);
  }

  private static String csv(JsonNode row) {
    return row.get("label")
        + ","
        + row.get("qid").asString()
        + ","
        + row.get("_id").asString()
        + row.get("features")
            .valueStream()
            .map(value -> "," + (value.isNull() ? "" : text(value)))
            .collect(Collectors.joining());
  }

  /** The judgments are the Workbench's, which is not in the node; all else comes from the node. */
  @Test
  void rankLibsFileByTheWorkbenchsJudgments() throws Exception {
    ObjectNode list = JSON.createObjectNode();
    ArrayNode ratings =
        list.putObject("hits")
            .putArray("hits")
            .addObject()
            .putObject("_source")
            .putArray("judgmentRatings");
    for (JudgedQuery query : ShopOnNode.SHOP.queries()) {
      ArrayNode rated = ratings.addObject().put("query", query.text()).putArray("ratings");
      query
          .judgments()
          .forEach((id, grade) -> rated.addObject().put("docId", id).put("rating", grade + ".000"));
    }
    HttpServer workbench =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    workbench.createContext("/", TrainOptionsIT::forward);
    workbench.createContext(
        "/_plugins/_search_relevance/judgments/shop-list",
        exchange -> answer(exchange, 200, list.toString()));
    workbench.start();
    Path file = temp.resolve("shop.txt");
    try {
      String address = "http://localhost:" + workbench.getAddress().getPort();
      run(
          "log",
          LOGGED,
          new String[] {"--cluster", address, "--judgment-list", "shop-list"},
          new String[] {"--format", "ranklib", "-o", file.toString()});
    } finally {
      workbench.stop(0);
    }
    List<String> lines = Files.readAllLines(file);
    List<String> names = ShopOnNode.featureNames();
    for (int f = 0; f < names.size(); f++) {
      assertEquals("# " + (f + 1) + "\t" + names.get(f), lines.get(f));
    }
    List<JsonNode> rows = texts(features).stream().map(TrainOptionsIT::json).toList();
    List<String> numbers =
        ShopOnNode.SHOP.queries().stream()
            .filter(JudgedQuery::hasGoodAnswer)
            .map(JudgedQuery::id)
            .toList();
    assertEquals(
        rows.stream()
            .map(
                row -> {
                  StringBuilder line = new StringBuilder(row.get("label").toString());
                  line.append(" qid:").append(numbers.indexOf(row.get("qid").asString()) + 1);
                  for (int f = 0; f < names.size(); f++) {
                    JsonNode value = row.get("features").get(f);
                    line.append(' ').append(f + 1).append(':');
                    line.append(value.isNull() ? "0" : text(value));
                  }
                  return line + " # " + row.get("_id").asString();
                })
            .toList(),
        lines.subList(names.size(), lines.size()));
  }

  private static void forward(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    HttpResponse<String> response;
    try {
      response =
          SharedNode.get()
              .client()
              .exchange(
                  exchange.getRequestMethod(),
                  exchange.getRequestURI().toString(),
                  "application/json",
                  body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
    response
        .headers()
        .firstValue("X-Quickscorer-Next")
        .ifPresent(next -> exchange.getResponseHeaders().set("X-Quickscorer-Next", next));
    answer(exchange, response.statusCode(), response.body());
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
