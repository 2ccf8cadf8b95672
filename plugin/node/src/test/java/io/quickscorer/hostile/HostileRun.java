// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.Target.Outcome;
import io.quickscorer.node.NodeClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Attacks a node for a while: every kind of exhaustion in turn, requests without the rights they
 * take, damage to what is stored, and nearly right requests beside it. What happened is written to
 * a file.
 */
final class HostileRun {
  private static final int FUZZERS = 2;
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration QUIET = Duration.ofMinutes(2);
  private static final int MAX_LISTED = 50;
  private static final JsonMapper JSON = new JsonMapper();

  /** Of the heap, what caches of the server may have grown by. */
  private static final double FLAT = 0.15;

  private final Target target;
  private final Fuzz fuzz;
  private final long seed;
  private final AtomicLong requests = new AtomicLong();
  private final Map<String, Integer> statuses = new TreeMap<>();
  private final List<String> deaths = new ArrayList<>();
  private final List<String> hangs = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private final List<String> rest = new ArrayList<>();

  HostileRun(Target target, long seed) {
    this.target = target;
    this.seed = seed;
    this.fuzz = new Fuzz(seed);
  }

  /** Everything that should not have happened, one line each. */
  List<String> faults() {
    List<String> all = new ArrayList<>(deaths);
    all.addAll(hangs);
    all.addAll(errors);
    all.addAll(rest);
    return all;
  }

  /** Attacks until the time is over, and at least once in each way. */
  void run(Duration time) throws Exception {
    Stage.set(target.client());
    BrokenStorage storage = new BrokenStorage(target, rest);
    storage.stage();
    storage.restart();
    long heapBefore = target.heapAfterCollection();
    long end = System.nanoTime() + time.toNanos();
    int rounds = 0;
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      AtomicLong next = new AtomicLong();
      boolean[] over = {false};
      List<Future<?>> fuzzers = new ArrayList<>();
      for (int f = 0; f < FUZZERS; f++) {
        fuzzers.add(
            threads.submit(
                () -> {
                  while (!over(over)) {
                    fire(fuzz.shot(next.getAndIncrement()));
                  }
                  return null;
                }));
      }
      SplittableRandom random = new SplittableRandom(seed);
      do {
        for (Exhaustion attack : Exhaustion.values()) {
          if (rounds > 0 && System.nanoTime() >= end) {
            break;
          }
          volley(attack, random, threads);
        }
        for (WrongRights attack : WrongRights.values()) {
          Shot shot = attack.shot(random);
          String fault = attack.fault(shot, fire(shot));
          if (fault != null) {
            note(rest, fault);
          }
        }
        storage.damageAndMend(random);
        Runnable makeUsable = storage.makeUnusable(random);
        for (Shot shot : BrokenStorage.shots()) {
          fire(shot);
        }
        makeUsable.run();
        rounds++;
      } while (System.nanoTime() < end);
      synchronized (over) {
        over[0] = true;
      }
      for (Future<?> fuzzer : fuzzers) {
        fuzzer.get();
      }
    }
    Map<String, Long> breakers = tidyUp();
    long heapAfter = target.heapAfterCollection();
    long max = target.maxHeap();
    if (heapAfter > heapBefore + FLAT * max) {
      rest.add("heap after collection: " + heapBefore + " before, " + heapAfter + " after");
    }
    write(rounds, breakers, heapBefore, heapAfter);
  }

  private static boolean over(boolean[] over) {
    synchronized (over) {
      return over[0];
    }
  }

  private void volley(Exhaustion attack, SplittableRandom random, ExecutorService threads)
      throws Exception {
    List<Future<?>> all = new ArrayList<>();
    for (int c = 0; c < attack.clients(); c++) {
      Shot shot = attack.shot(random.split());
      all.add(
          threads.submit(
              () -> {
                fire(shot);
                return null;
              }));
    }
    for (Future<?> each : all) {
      each.get();
    }
  }

  private Outcome fire(Shot shot) throws IOException, InterruptedException {
    requests.incrementAndGet();
    Outcome outcome = target.send(shot);
    switch (outcome) {
      case Outcome.Answered answered -> {
        count(shot, Integer.toString(answered.status()));
        if (answered.status() == 500 && !isServersOwn(shot, answered)) {
          note(errors, "500: " + shot + " -> " + answered.body());
        }
      }
      case Outcome.Hung hung -> {
        count(shot, "hung");
        note(
            hangs,
            "no answer after "
                + hung.waited()
                + " and "
                + hung.used()
                + " of processor time: "
                + shot);
      }
      case Outcome.Lost lost -> count(shot, "lost");
    }
    if (!target.isAlive()) {
      note(deaths, "the node died at the time of: " + shot);
      target.revive();
    }
    return outcome;
  }

  private synchronized void count(Shot shot, String status) {
    statuses.merge(shot.attack().split(" ", 2)[0] + " " + status, 1, Integer::sum);
  }

  private static void note(List<String> to, String line) {
    synchronized (to) {
      if (to.size() < MAX_LISTED) {
        to.add(line.length() > 4_000 ? line.substring(0, 4_000) + "…" : line);
      }
    }
  }

  /** Whether a search without our clause, or the cancellation of a task, is a 500 as well. */
  private boolean isServersOwn(Shot shot, Outcome.Answered answered) throws InterruptedException {
    if (answered.body().contains("task_cancelled_exception")) {
      return true;
    }
    if (!shot.path().endsWith("/_search")) {
      return false;
    }
    if (!shot.body().contains("\"quickscorer\"")) {
      return true; // The clause is no longer in it.
    }
    try {
      ObjectNode body = (ObjectNode) JSON.readTree(shot.body());
      body.remove("rescore");
      Shot plain = new Shot(shot.attack(), shot.method(), shot.path(), body.toString());
      return target.send(plain) instanceof Outcome.Answered other && other.status() == 500;
    } catch (RuntimeException e) {
      return false; // No JSON, which the server answers with 400.
    }
  }

  /** Deletes everything of ours; then nothing of ours may be charged for. */
  private Map<String, Long> tidyUp() {
    NodeClient client = target.client();
    for (String kind : List.of("aliases", "models", "feature_sets")) {
      JsonNode all = client.get(Stage.ROOT + "/" + kind).get(kind);
      for (JsonNode one : all) {
        client.send("DELETE", Stage.ROOT + "/" + kind + "/" + one.get("name").asString(), "");
      }
    }
    long end = System.nanoTime() + QUIET.toNanos();
    Map<String, Long> held = target.breakers();
    while (!isZero(held) && System.nanoTime() < end) {
      LockSupport.parkNanos(POLL.toNanos());
      held = target.breakers();
    }
    if (!isZero(held)) {
      rest.add("breakers are not back to zero: " + held);
    }
    return held;
  }

  /** The request for the statistics is in flight itself. */
  private static boolean isZero(Map<String, Long> held) {
    return held.getOrDefault("request", -1L) == 0 && held.getOrDefault("quickscorer", -1L) == 0;
  }

  private void write(int rounds, Map<String, Long> breakers, long heapBefore, long heapAfter)
      throws IOException {
    ObjectNode result = JSON.createObjectNode();
    result.put("seed", seed).put("requests", requests.get()).put("rounds", rounds);
    result.set("statuses", JSON.valueToTree(statuses));
    result.set("deaths", JSON.valueToTree(deaths));
    result.set("hangs", JSON.valueToTree(hangs));
    result.set("server_errors", JSON.valueToTree(errors));
    result.set("other_faults", JSON.valueToTree(rest));
    result.set("breakers_at_end", JSON.valueToTree(breakers));
    result.put("heap_before", heapBefore).put("heap_after", heapAfter);
    Path file = Path.of(System.getProperty("hostile.output", "target/hostile.json"));
    Files.writeString(file, result.toPrettyString());
    System.out.println("hostile: " + file.toAbsolutePath() + ": " + requests + " requests");
  }
}
