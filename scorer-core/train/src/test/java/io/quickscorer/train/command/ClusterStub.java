// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Speaks as much of the plugin's API over real connections as logging asks for, so that tests can
 * change what a cluster would answer and see what it was asked. TrainIT asks a real node.
 */
final class ClusterStub implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  /** Bodies of the requests for rows. */
  final List<JsonNode> logged = new CopyOnWriteArrayList<>();

  /** Bodies of searches. */
  final List<JsonNode> searched = new CopyOnWriteArrayList<>();

  /** Until when requests for rows wait. */
  CountDownLatch gate = new CountDownLatch(0);

  /** What happens at each request for rows before it is answered. */
  Runnable meanwhile = () -> {};

  /** Whether no query has hits. */
  boolean withoutHits;

  /** The status of answers with rows. */
  int status = 200;

  /** The script of feature {@code worth}. */
  String script = "1";

  /** The name of its only feature. */
  String feature = "worth";

  /** The documents of the index; if there are none, all that are asked for are there. */
  List<String> documents = List.of();

  /** How many documents have one of the ids that are asked for in field {@code votes}. */
  int votes;

  /** Where all requests are sent instead, if anywhere. */
  String elsewhere = "";

  /** The answer to all requests, if it is always the same. */
  String page = "";

  private final HttpServer server;

  ClusterStub() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  String address() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** Ids of all queries of which rows were asked. */
  List<String> queries() {
    return logged.stream()
        .flatMap(body -> body.get("queries").valueStream())
        .map(query -> query.get("qid").asString())
        .toList();
  }

  private void answer(HttpExchange exchange) throws IOException {
    JsonNode body = JSON.readTree(exchange.getRequestBody());
    String path = exchange.getRequestURI().getPath();
    String text =
        path.endsWith("/_log")
            ? rows(body)
            : path.endsWith("/feature_sets/shop")
                ? set()
                : path.endsWith("/_search") ? hits(body) : votes(path);
    byte[] bytes = (page.isEmpty() ? text : page).getBytes(StandardCharsets.UTF_8);
    if (!elsewhere.isEmpty()) {
      exchange.getResponseHeaders().set("Location", elsewhere);
    }
    int plain = elsewhere.isEmpty() ? 200 : 302;
    exchange.sendResponseHeaders(path.endsWith("/_log") ? status : plain, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private String hits(JsonNode body) {
    searched.add(body);
    ObjectNode answer = JSON.createObjectNode();
    ArrayNode hits = answer.putObject("hits").putArray("hits");
    List<String> asked =
        body.has("query")
            ? body.at("/query/ids/values").valueStream().map(JsonNode::asString).toList()
            : documents;
    asked.stream()
        .filter(id -> documents.isEmpty() || documents.contains(id))
        .forEach(id -> hits.addObject().put("_id", id));
    return answer.toString();
  }

  private String votes(String path) {
    return path.endsWith("/_mapping")
        ? "{\"shop\": {\"mappings\": {\"properties\": {\"votes\": {\"type\": \"integer\"}}}}}"
        : path.endsWith("/_count") ? "{\"count\": " + votes + "}" : "{}";
  }

  private String set() {
    ObjectNode set = JSON.createObjectNode().put("name", "shop");
    set.putArray("features").addObject().put("name", feature).put("script", script);
    set.putObject("default_params");
    return set.toString();
  }

  private String rows(JsonNode body) {
    logged.add(body);
    meanwhile.run();
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    StringBuilder rows = new StringBuilder("{\"feature_names\":[\"worth\"]}\n");
    for (JsonNode query : withoutHits ? JSON.createArrayNode() : body.get("queries")) {
      for (int d = 0; d < body.get("size").asInt(); d++) {
        ObjectNode row = JSON.createObjectNode();
        row.set("qid", query.get("qid"));
        row.put("_id", "d" + d).put("label", query.at("/labels/d" + d).asInt(0));
        row.putArray("features").add(d);
        rows.append(row).append('\n');
      }
    }
    return rows.toString();
  }

  @Override
  public void close() {
    gate.countDown();
    server.stop(0);
  }
}
