// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is taken over from a store, and what is left alone. ImportIT asks a real node. */
final class MigrateCommandTest {
  private static final JsonMapper JSON = new JsonMapper();

  /** Names of the store's models; it has one feature set. */
  private final List<String> store = new ArrayList<>();

  /** Names of the models that are in the cluster. */
  private final Set<String> models = new TreeSet<>();

  private final Set<String> sets = new TreeSet<>();
  private final List<String> imports = new ArrayList<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String path = exchange.getRequestURI().getPath();
    if (exchange.getRequestMethod().equals("HEAD")) {
      String name = path.substring(path.lastIndexOf('/') + 1);
      exchange.sendResponseHeaders(models.contains(name) ? 200 : 404, -1);
      exchange.close();
      return;
    }
    String text =
        path.equals("/.ltrstore/_search")
            ? page(JSON.readTree(body).at("/query/match/type").asString())
            : path.endsWith("/_import")
                ? imported(exchange.getRequestURI().getQuery(), JSON.readTree(body))
                : "{\"_scroll_id\": \"s\", \"hits\": {\"hits\": []}}";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private String page(String type) {
    ObjectNode page = JSON.createObjectNode().put("_scroll_id", "s");
    ArrayNode hits = page.putObject("hits").putArray("hits");
    for (String name : type.equals("model") ? store : List.of("set")) {
      ObjectNode source = hits.addObject().putObject("_source").put("name", name);
      source.put("type", type);
      if (type.equals("model")) {
        source.putObject("model").putObject("feature_set").put("name", "set");
      }
    }
    return page.toString();
  }

  /** As the plugin does: a model is replaced, a feature set is not. */
  private String imported(String query, JsonNode document) {
    imports.add(query);
    String type = document.at("/_source/type").asString();
    String name = query.replaceAll("^name=|&.*", "");
    boolean created = (type.equals("model") ? models : sets).add(name);
    String result = created ? "created" : type.equals("model") ? "updated" : "noop";
    String kind = type.equals("model") ? "model" : "feature_set";
    return "{\"" + kind + "\": {\"result\": \"" + result + "\"}}";
  }

  private List<String> migrate(int status) {
    imports.clear();
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = System.out;
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      String address = "http://localhost:" + server.getAddress().getPort();
      assertEquals(
          status,
          new CommandLine(new MigrateCommand()).execute("--cluster", address),
          said::toString);
    } finally {
      System.setOut(out);
    }
    return said.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void whatIsThereStaysAsItIs() {
    store.addAll(List.of("a", "B"));
    models.add("b");
    assertEquals(
        List.of("feature set set: created", "model a: created", "model B as b: exists already"),
        migrate(0));
    assertEquals(List.of("name=set", "name=a&feature_set=set"), imports);
    assertEquals(
        List.of(
            "feature set set: exists already",
            "model a: exists already",
            "model B as b: exists already"),
        migrate(0));
    assertEquals(List.of("name=set"), imports, "no model is sent");
  }

  @Test
  void noModelReplacesAnotherOfTheStore() {
    store.addAll(List.of("Ranker", "ranker", "other"));
    assertEquals(
        List.of(
            "feature set set: created",
            "model Ranker as ranker: created",
            "model ranker: refused: the store also has model Ranker, whose new name is ranker too",
            "model other: created"),
        migrate(1));
    assertEquals(
        List.of("name=set", "name=ranker&feature_set=set", "name=other&feature_set=set"), imports);
  }
}
