// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.Target.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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

  /** Seconds of the node's processors for one request, however large it is. */
  private static final double SLOW = Double.parseDouble(System.getProperty("hostile.slow", "10"));

  private static final double BYTES_PER_SECOND = 500e6;
  private static final int SETTLING = 30;
  private static final long KEPT = 1_024;
  private static final JsonMapper JSON = new JsonMapper();

  private final Target target;
  private final Words words;
  private final Map<String, Float> scores = new HashMap<>();
  private final List<String> strange = new ArrayList<>();
  private long requests;
  private long allocated;
  private double cpu;
  private long kept;

  /**
   * @param statuses of the responses
   * @param cpu seconds of the node's processors
   * @param cost seconds of the node's processors, and a second for so many bytes allocated
   * @param sent bytes
   * @param symptom of a fault, or null
   */
  record Outcome(
      List<Integer> statuses,
      double cpu,
      double cost,
      long sent,
      @Nullable String symptom,
      String what) {
    Outcome with(String other) {
      return new Outcome(statuses, cpu, cost, sent, other, what);
    }

    boolean isRefused() {
      return statuses.stream().anyMatch(status -> status >= 400);
    }

    boolean shows(@Nullable String other) {
      return Objects.equals(symptom, other);
    }
  }

  Trial(Target target, Words words) {
    this.target = target;
    this.words = words;
  }

  long requests() {
    return requests;
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
    collect(JSON.readTree(answer.body()), scores);
    if (scores.isEmpty()) {
      throw new IllegalStateException("no scores: " + answer);
    }
  }

  /**
   * Sends the changed requests, those before that store something, and those after that may use
   * what a changed one has stored; of an unchanged scenario, all.
   */
  Outcome run(Scenario scenario, List<Change> changes) throws Exception {
    ArrayNode sending = Change.apply(scenario.requests(), changes, words, BUDGET);
    List<Integer> changed = changes.stream().map(Change::request).sorted().toList();
    List<Integer> statuses = new ArrayList<>();
    List<Answer> answers = new ArrayList<>();
    double all = 0;
    double most = -1;
    long sent = 0;
    String symptom = null;
    String what = "";
    boolean searched = false;
    boolean stored = changed.isEmpty();
    for (int r = 0; r < sending.size() && symptom == null; r++) {
      JsonNode request = sending.get(r);
      boolean stores = !text(request, "method").equals("GET") && !isSearch(request);
      if (!stored && !changed.contains(r) && !(stores && r < changed.getLast())) {
        continue;
      }
      stored |= stores && changed.contains(r);
      searched |= isSearch(request);
      double before = target.cpu();
      Answer answer = send(request, answers);
      answers.add(answer);
      statuses.add(answer.status());
      double used = target.isAlive() ? target.cpu() - before : 0;
      cpu += used;
      all += used;
      sent += answer.sent();
      symptom = symptom(request, answer, used);
      if (symptom == null && differs(r, changes, answer)) {
        symptom = "WRONG";
      }
      if (symptom != null || used > most) {
        what = summary(request, answer, used);
        most = used;
      }
      String path = text(request, "path");
      if (answer.status() < 300 && stores && !path.matches(".*/x\\w")) {
        strange.add(path);
      }
    }
    long now = target.allocated();
    double cost = all + Math.max(0, now - allocated) / BYTES_PER_SECOND;
    allocated = now;
    if (symptom == null && (searched || requests % 8 == 0)) {
      symptom = afterwards();
    }
    if (symptom != null && target.recover(symptom)) {
      symptom = "LOOP"; // It dies of what is stored.
    }
    for (String path : strange) {
      target.send("DELETE", path, "application/json", new byte[0]);
    }
    strange.clear();
    return new Outcome(statuses, all, cost, sent, symptom, what);
  }

  /** A field, which may no longer be a text. */
  private static String text(JsonNode of, String field) {
    JsonNode value = of.path(field);
    return value.isString() ? value.asString() : Body.json(value);
  }

  private static boolean isSearch(JsonNode request) {
    return text(request, "path").endsWith("/_search");
  }

  private @Nullable String symptom(JsonNode request, Answer answer, double used)
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
    for (int i = 0; i < SETTLING; i++) {
      if (!target.isAlive()) {
        return "DEATH";
      }
      held = target.breakers().getOrDefault("request", 0L);
      if (held <= kept + KEPT) {
        kept = Math.min(kept, held);
        return null;
      }
      LockSupport.parkNanos(100_000_000);
    }
    kept = held;
    return "KEPT";
  }

  private Answer send(JsonNode request, List<Answer> answers) throws InterruptedException {
    requests++;
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
    return target.send(text(request, "method"), path.toString(), type, bytes);
  }

  private static JsonNode tree(String text) {
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      return JSON.createObjectNode();
    }
  }

  private static String summary(JsonNode request, Answer answer, double used) {
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

  /** Whether a search without ours, or the cancellation of a task, is a 500 as well. */
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
    return !ours || send(plain, List.of()).status() == 500;
  }

  /** Whether a search of another page of the known ranking shows a score that it does not have. */
  private boolean differs(int request, List<Change> changes, Answer answer) {
    Predicate<Change> harmless =
        change ->
            change.path().size() > 2
                && change.path().getFirst().equals(Integer.toString(request))
                && (change.path().get(1).equals("params")
                    || !List.of("rescore", "query", "ext", "aggs").contains(change.path().get(2)));
    if (answer.status() != 200
        || changes.isEmpty()
        || !changes.stream().allMatch(harmless)
        || !answer.body().contains("\"_index\":\"few\"")
        || !answer.body().contains("\"model\":\"small\"")) {
      return false;
    }
    Map<String, Float> shown = new HashMap<>();
    collect(tree(answer.body()), shown);
    return shown.entrySet().stream()
        .anyMatch(hit -> !hit.getValue().equals(scores.get(hit.getKey())));
  }

  private static void collect(JsonNode node, Map<String, Float> to) {
    if (node.path("_id").isString() && node.path("_score").isNumber()) {
      to.put(node.get("_id").asString(), node.get("_score").floatValue());
    }
    node.forEach(inner -> collect(inner, to));
  }
}
