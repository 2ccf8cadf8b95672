// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.Target.Answer;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Sends the requests of a changed scenario, and looks at the node meanwhile and afterwards. */
final class Trial {
  /** Characters of all bodies of a scenario. */
  static final long BUDGET = 33_000_000;

  /**
   * Characters of a pipeline: the server itself reads it into maps, which no breaker counts, and a
   * node of 512 MB without any plugin dies of 11 million of {@code {}}.
   */
  private static final long PIPELINE = 1 << 20;

  /** Seconds of the node's processors for one request, however large it is. */
  private static final double SLOW = Double.parseDouble(System.getProperty("hostile.slow", "10"));

  private static final double BYTES_PER_SECOND = 500e6;
  private static final int SETTLING = 30;

  /** Looks at the breakers after a collection. */
  private static final int COLLECTED = 100;

  /** Bytes from which on a request may leave nothing for those that follow. */
  private static final long LARGE = 50_000;

  private static final long KEPT = 16_384;
  private static final String SMALL = "\"model\":\"small\"";
  private static final JsonMapper JSON = new JsonMapper();

  private final Target target;
  private final Words words;
  private final Staging staging;

  /** By whether its statistics of terms are those of all shards, each hit's score. */
  private final Map<Boolean, Map<String, Float>> scores = new HashMap<>();

  private final List<String> strange = new ArrayList<>();
  private final AtomicLong requests = new AtomicLong();
  private long allocated;
  private double cpu;
  private long kept;

  /**
   * @param cpu seconds of the node's processors
   * @param cost seconds of the node's processors, and a second for so many bytes allocated
   * @param sent bytes
   * @param refusal the first response that is an error, or null
   * @param symptom of a fault, or null
   */
  record Outcome(
      double cpu,
      double cost,
      long sent,
      @Nullable String refusal,
      @Nullable String symptom,
      String what) {
    Outcome with(String other) {
      return new Outcome(cpu, cost, sent, refusal, other, what);
    }
  }

  /** What sets the stage on an empty node. */
  interface Staging {
    void set() throws Exception;
  }

  Trial(Target target, Words words, Staging staging) {
    this.target = target;
    this.words = words;
    this.staging = staging;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%d requests, %.0f s of the node's processors", requests(), cpu());
  }

  long requests() {
    return requests.get();
  }

  /** Seconds of the node's processors that its requests have taken. */
  double cpu() {
    return cpu;
  }

  /** Remembers the scores of a search's hits, which no other page of it may change. */
  void learn(Scenario scenario, int request) throws Exception {
    JsonNode search = scenario.requests().get(request).deepCopy();
    ((ObjectNode) search.get("body")).put("size", 100);
    Answer answer = send(search, List.of());
    Map<String, Float> learnt = new HashMap<>();
    collect(JSON.readTree(answer.body()), learnt);
    if (learnt.isEmpty()) {
      throw new IllegalStateException("no scores: " + answer);
    }
    scores.put(ofAllShards(search), learnt);
  }

  /**
   * Sends the changed requests, those before that store something, and those after that may use
   * what a changed one has stored; of an unchanged scenario, all.
   */
  Outcome run(Scenario scenario, List<Change> changes) throws Exception {
    ArrayNode sending = Change.apply(scenario.requests(), changes, words, budget(scenario));
    List<Integer> changed = changes.stream().map(Change::request).sorted().toList();
    List<Answer> answers = new ArrayList<>();
    double most = -1;
    double all = 0;
    long sent = 0;
    JsonNode slowest = sending.get(0);
    Answer slowestAnswer = new Answer(0, "", 0);
    String refusal = null;
    String symptom = null;
    boolean searched = false;
    boolean stored = changed.isEmpty();
    for (int r = 0; r < sending.size() && symptom == null; r++) {
      JsonNode request = sending.get(r);
      boolean stores = stores(request);
      if (!stored && !changed.contains(r) && !(stores && r < changed.getLast())) {
        continue;
      }
      searched |= isSearch(request);
      double before = target.cpu();
      Answer answer = send(request, answers);
      answers.add(answer);
      double used = target.isAlive() ? target.cpu() - before : 0;
      all += used;
      sent += answer.sent();
      symptom = symptom(request, answer, used);
      if (symptom == null && differs(request, r, changes, answer)) {
        symptom = "WRONG";
      }
      if (symptom != null || used > most) {
        slowest = request;
        slowestAnswer = answer;
        most = used;
      }
      if (refusal == null && answer.status() >= 400) {
        refusal = answer.body();
      }
      if (stores && answer.status() < 300 && answer.status() >= 0) {
        stored |= changed.contains(r);
        strange.add(text(request, "path"));
      }
    }
    cpu += all;
    long now = target.allocated();
    double cost = all + Math.max(0, now - allocated) / BYTES_PER_SECOND;
    allocated = now;
    if (symptom == null && (searched || requests.get() % 8 == 0)) {
      symptom = afterwards();
    }
    if (symptom != null && recover(symptom, !changed.isEmpty() && stored)) {
      symptom = "LOOP"; // It dies of what is stored.
    }
    String what = symptom == null ? "" : summary(slowest, slowestAnswer, most);
    tidyUp(sent);
    return new Outcome(all, cost, sent, refusal, symptom, what);
  }

  /** The node serves again; returns whether it had to lose what it stored. */
  boolean recover(String symptom, boolean stored) throws Exception {
    boolean loops = target.recover(symptom, stored);
    if (loops) {
      staging.set();
    }
    return loops;
  }

  /** The first request that the changes are of, half as large as alone. */
  JsonNode changed(Cell cell) {
    return Change.apply(
            cell.scenario().requests(), cell.changes(), words, budget(cell.scenario()) / 2)
        .get(cell.changes().getFirst().request());
  }

  private static long budget(Scenario scenario) {
    boolean servers =
        scenario
            .requests()
            .valueStream()
            .anyMatch(r -> text(r, "path").startsWith("/_search/pipe"));
    return servers ? PIPELINE : BUDGET;
  }

  /** Deletes what was stored under other names than the scenarios', and what is large. */
  private void tidyUp(long sent) throws InterruptedException {
    for (String path : strange.reversed()) {
      if (sent > LARGE || !path.matches(".*/x\\w")) {
        target.send("DELETE", path, "application/json", new byte[0]);
      }
    }
    strange.clear();
  }

  /** A field, which may no longer be a text. */
  private static String text(JsonNode of, String field) {
    JsonNode value = of.path(field);
    return value.isString() ? value.asString() : Body.json(value);
  }

  static boolean stores(JsonNode request) {
    return !text(request, "method").equals("GET") && !isSearch(request);
  }

  static boolean isSearch(JsonNode request) {
    return text(request, "path").endsWith("/_search");
  }

  @Nullable String symptom(JsonNode request, Answer answer, double used)
      throws InterruptedException {
    if (!target.isAlive()) {
      return "DEATH";
    }
    if (answer.status() == Target.HUNG) {
      return "HANG";
    }
    if (answer.status() == 500 && !isServersOwn(request, answer)) {
      return "ERROR";
    }
    return used > SLOW ? "SLOW" : null;
  }

  /** What shows when no request is there any more. */
  private @Nullable String afterwards() {
    long held = 0;
    for (int i = 0; i < SETTLING + COLLECTED; i++) {
      if (!target.isAlive()) {
        return "DEATH";
      }
      try {
        if (i == SETTLING) {
          target.heapAfterCollection();
        }
        if (i >= SETTLING) {
          // A search that the server refuses while it parses it, such as one with a wrong id of a
          // point in time, gives back what its clause took when memory is taken next.
          target.client().get(Stage.ROOT + "/models");
        }
        held = target.breakers().getOrDefault("request", 0L);
      } catch (UncheckedIOException e) {
        return target.isAlive() ? "HANG" : "DEATH";
      }
      if (held <= kept + KEPT) {
        kept = Math.min(kept, held);
        return null;
      }
      LockSupport.parkNanos(100_000_000);
    }
    kept = held;
    return "KEPT";
  }

  /** A request as it is sent, which takes less than a tree. */
  record Ready(String method, String path, String type, byte[] body) {}

  Answer send(JsonNode request, List<Answer> answers) throws InterruptedException {
    return send(ready(request, answers));
  }

  Answer send(Ready request) throws InterruptedException {
    requests.incrementAndGet();
    return target.send(request.method, request.path, request.type, request.body);
  }

  Ready ready(JsonNode request, List<Answer> answers) {
    StringBuilder path = new StringBuilder(text(request, "path"));
    char before = '?';
    for (Map.Entry<String, JsonNode> param : request.path("params").properties()) {
      path.append(before).append(Target.encoded(param.getKey()));
      path.append('=').append(Target.encoded(text(request.path("params"), param.getKey())));
      before = '&';
    }
    JsonNode body = request.path("body");
    if (text(body.path("pit"), "id").equals("{0.pit_id}") && body instanceof ObjectNode object) {
      String id = answers.isEmpty() ? "" : answers.getFirst().body();
      ((ObjectNode) object.get("pit")).put("id", tree(id).path("pit_id").asString("none"));
    }
    String type = text(request, "type");
    byte[] bytes = body.isMissingNode() ? new byte[0] : Body.bytes(body, type);
    return new Ready(text(request, "method"), path.toString(), type, bytes);
  }

  private static JsonNode tree(String text) {
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      return JSON.createObjectNode();
    }
  }

  static String summary(JsonNode request, Answer answer, double used) {
    String body = Body.json(request.path("body"));
    return String.format(
        Locale.ROOT,
        "%s %s %s %d bytes of %s -> %d, %.1f s of processor; %s; %s",
        text(request, "method"),
        start(text(request, "path"), 100),
        start(Body.json(request.path("params")), 100),
        answer.sent(),
        text(request, "type"),
        answer.status(),
        used,
        start(answer.body(), 300),
        start(body, 400));
  }

  private static String start(String text, int length) {
    return text.length() > length ? text.substring(0, length) + "…" : text;
  }

  /**
   * Returns whether a response with status 500 is not a fault of the plugin: a task was cancelled,
   * or the same search also returns 500 without the clause, or with the server's own rescorer.
   */
  private boolean isServersOwn(JsonNode request, Answer answer) throws InterruptedException {
    if (answer.body().contains("task_cancelled_exception")) {
      return true;
    }
    String path = text(request, "path");
    if (!path.contains("_search")) {
      return !path.startsWith(Stage.ROOT);
    }
    if (!(request.path("body") instanceof ObjectNode body)
        || !path.contains("pipeline") && !Body.json(request).contains("quickscorer\":")) {
      return true;
    }
    ObjectNode plain = (ObjectNode) request.deepCopy();
    ObjectNode without = body.deepCopy();
    boolean ours = without.remove("rescore") != null;
    ours |= without.remove("ext") != null;
    plain.set("body", without);
    ours |= ((ObjectNode) plain.get("params")).remove("search_pipeline") != null;
    if (!ours || send(plain, List.of()).status() == 500) {
      return true;
    }
    ObjectNode rescore = without.putObject("rescore");
    rescore.put("window_size", body.at("/rescore/window_size").asInt(10));
    rescore.putObject("query").putObject("rescore_query").putObject("match_all");
    return send(plain, List.of()).status() == 500;
  }

  /** Whether a search of another page of the known ranking shows a score that it does not have. */
  private boolean differs(JsonNode request, int number, List<Change> changes, Answer answer) {
    Predicate<Change> harmless =
        change ->
            change.path().size() > 2
                && change.path().getFirst().equals(Integer.toString(number))
                && (change.path().get(1).equals("params")
                    || !List.of("rescore", "query", "ext", "aggs").contains(change.path().get(2)));
    if (answer.status() != 200
        || changes.isEmpty()
        || !changes.stream().allMatch(harmless)
        || !answer.body().contains("\"_index\":\"few\"")
        || !answer.body().contains(SMALL)
            && !(Body.json(request).contains(SMALL)
                && changes.stream().allMatch(Change::isNumber))) {
      return false;
    }
    Map<String, Float> shown = new HashMap<>();
    collect(tree(answer.body()), shown);
    Map<String, Float> right = scores.getOrDefault(ofAllShards(request), Map.of());
    return shown.entrySet().stream()
        .anyMatch(hit -> !hit.getValue().equals(right.get(hit.getKey())));
  }

  private static boolean ofAllShards(JsonNode search) {
    return text(search.path("params"), "search_type").startsWith("dfs");
  }

  private static void collect(JsonNode node, Map<String, Float> to) {
    if (node.path("_id").isString() && node.path("_score").isNumber()) {
      to.put(node.get("_id").asString(), node.get("_score").floatValue());
    }
    node.forEach(inner -> collect(inner, to));
  }
}
