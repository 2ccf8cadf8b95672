// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
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
  private static final String WARNING = "  warning: look at it";
  private static final JsonMapper JSON = new JsonMapper();

  /** Names of the store's models; it has one feature set. */
  private final List<String> store = new ArrayList<>();

  /** The files of the models that are in the cluster, by name. */
  private final Map<String, String> models = new TreeMap<>();

  /** Names of feature sets that the cluster does not replace: an import of one fails with 409. */
  private final Set<String> others = new TreeSet<>();

  private final Set<String> sets = new TreeSet<>();
  private final List<String> imports = new ArrayList<>();
  private HttpServer server;

  /** Whether the command has printed the warning; a second time would be in its lines. */
  private boolean warned;

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
    String text;
    if (path.contains("/models/")) {
      String name = path.replaceAll(".*/models/|/_file", "");
      String file = models.getOrDefault(name, "");
      text = path.endsWith("/_file") || file.isEmpty() ? file : shown(name);
    } else if (path.endsWith("/_import")) {
      text = imported(exchange.getRequestURI().getQuery(), JSON.readTree(body));
    } else {
      text =
          path.endsWith("/_search")
              ? page(JSON.readTree(body).at("/query/match/type").asString())
              : "{\"_scroll_id\": \"s\", \"hits\": {\"hits\": []}}";
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int status = text.isEmpty() ? 404 : text.startsWith("{\"error\"") ? 409 : 200;
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** The alias {@code live} points to the model {@code m}. */
  private static String shown(String name) {
    return JSON.createObjectNode().put("name", name.equals("live") ? "m" : name).toString();
  }

  private String page(String type) {
    ObjectNode page = JSON.createObjectNode().put("_scroll_id", "s");
    ArrayNode hits = page.putObject("hits").putArray("hits");
    for (String name : type.equals("model") ? store : List.of("set")) {
      hits.add(
          type.equals("model")
              ? model(name)
              : JSON.createObjectNode()
                  .set("_source", JSON.createObjectNode().put("name", name).put("type", type)));
    }
    return page.toString();
  }

  private static ObjectNode model(String name) {
    ObjectNode hit = JSON.createObjectNode();
    ObjectNode source = hit.putObject("_source").put("name", name).put("type", "model");
    source.putObject("model").putObject("feature_set").put("name", "set");
    return hit;
  }

  /** As the plugin does: a model is replaced, a feature set is not. */
  private String imported(String query, JsonNode document) {
    imports.add(query);
    String type = document.at("/_source/type").asString();
    String name = query.replaceAll("^name=|&.*", "");
    String set = query.replaceAll(".*=", "");
    if (others.contains(set)) {
      return "{\"error\": {\"reason\": \"" + set + " exists\"}}";
    }
    boolean created =
        type.equals("model") ? models.put(name, document.toString()) == null : sets.add(name);
    String result = created ? "created" : type.equals("model") ? "updated" : "noop";
    String kind = type.equals("model") ? "model" : "feature_set";
    ObjectNode answer = JSON.createObjectNode();
    answer.putObject("feature_set").put("name", set);
    answer.withObjectProperty(kind).put("result", result).putArray("warnings").add("look at it");
    return answer.toString();
  }

  private List<String> migrate(int status, String... options) {
    imports.clear();
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = System.out;
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      String address = "http://localhost:" + server.getAddress().getPort();
      assertEquals(
          status,
          new CommandLine(new MigrateCommand())
              .execute(
                  Stream.concat(Stream.of("--cluster", address), Stream.of(options))
                      .toArray(String[]::new)),
          said::toString);
    } finally {
      System.setOut(out);
    }
    List<String> lines = new ArrayList<>(said.toString(StandardCharsets.UTF_8).lines().toList());
    warned = lines.remove(WARNING);
    return lines;
  }

  @Test
  void whatIsThereStaysAsItIs() {
    store.addAll(List.of("a", "B"));
    models.put("b", model("B").toString());
    assertEquals(
        List.of("feature set set: created", "model a: created", "model B as b: exists already"),
        migrate(0));
    assertEquals(List.of("name=set", "name=a&feature_set=set"), imports);
    assertTrue(warned);
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

  @Test
  void anotherModelOfTheNameIsNoSuccess() {
    store.addAll(List.of("m", "live"));
    models.put("m", model("m").toString().replace("\"set\"", "\"other\""));
    models.put("live", models.get("m"));
    assertEquals(
        List.of(
            "feature set set: created",
            "model m: refused: another model has this name; --prefix imports under other names",
            "model live: refused: an alias has this name; --prefix imports under other names"),
        migrate(1));
    assertEquals(List.of("name=set"), imports, "no model is sent");
    assertEquals(
        List.of(
            "feature set set as shop-set: created",
            "model m as shop-m: created",
            "model live as shop-live: created"),
        migrate(0, "--prefix", "shop-"));
    assertEquals(
        List.of(
            "name=shop-set",
            "name=shop-m&feature_set=shop-set",
            "name=shop-live&feature_set=shop-set"),
        imports);
  }

  @Test
  void modelWithTheNameOfItsSetGetsAThirdName() {
    store.add("set");
    others.add("set");
    assertEquals(
        List.of(
            "feature set set: refused: set exists; --prefix imports under other names",
            "model set: created, over feature set set_features"),
        migrate(1));
    others.add("set_features");
    models.clear();
    assertEquals(
        "model set: refused: set_features exists; --prefix imports under other names",
        migrate(1).getLast());
    assertEquals(
        List.of("name=set", "name=set&feature_set=set", "name=set&feature_set=set_features"),
        imports);
  }
}
