// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.Target.Answer;
import io.quickscorer.node.NodeClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Attacks a node for a while: by the changed requests of a {@link Hunt}, {@link Exhaustion} from
 * several clients at once, requests without the rights they take, and damage to what is stored.
 * What happened is written to a file.
 */
final class HostileRun {
  private static final int ATTEMPTS = 40;
  private static final boolean HUNT_ONLY = Boolean.getBoolean("hostile.hunt_only");
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration QUIET = Duration.ofMinutes(2);
  private static final JsonMapper JSON = new JsonMapper();

  /** Of the heap, what caches of the server may have grown by. */
  private static final double FLAT = 0.15;

  private final Target target;
  private final long seed;
  private final SplittableRandom random;
  private final List<Scenario> scenarios = Scenario.all();
  private final BrokenStorage storage;
  private final Trial trial;
  private @Nullable Hunt hunt;
  private final List<String> rest = new ArrayList<>();

  /** Those that this build does not take. */
  private final Set<Scenario> wrong = new HashSet<>();

  HostileRun(Target target, long seed) {
    this.target = target;
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.storage = new BrokenStorage(target, rest);
    this.trial = new Trial(target, new Words(scenarios), this::stage);
  }

  /** Everything that should not have happened, one line each. */
  List<String> faults() {
    List<String> all = hunt == null ? new ArrayList<>() : new ArrayList<>(hunt.findings());
    all.addAll(rest);
    return all;
  }

  private void stage() throws Exception {
    Stage.set(target.client());
    if (!HUNT_ONLY) {
      storage.stage();
    }
    for (Scenario scenario : scenarios) {
      if (wrong.contains(scenario)) {
        continue;
      }
      Trial.Outcome outcome = trial.run(scenario, List.of());
      if (outcome.refusal() != null || outcome.symptom() != null) {
        rest.add(scenario.name() + " is not right: " + outcome);
        System.out.println("hostile: " + rest.getLast());
        wrong.add(scenario);
      }
      if (scenario.name().equals("pages")) {
        trial.learn(scenario, 0);
        trial.learn(scenario, 3); // of type dfs_query_then_fetch
      }
    }
  }

  /** Sends a scenario with changes, as a fault is reported. */
  void replay(String fault) throws Exception {
    stage();
    if (fault.startsWith(Hunt.TOGETHER)) {
      together(fault.substring(Hunt.TOGETHER.length()));
      return;
    }
    String[] parts = fault.split("\\|");
    List<Change> changes = new ArrayList<>();
    for (int i = 1; i < parts.length; i++) {
      changes.add(Change.parse(parts[i]));
    }
    for (Scenario scenario : scenarios) {
      if (scenario.name().equals(parts[0])) {
        Trial.Outcome outcome = trial.run(scenario, changes);
        System.out.println("hostile: " + outcome);
        if (outcome.symptom() != null) {
          rest.add(outcome.symptom() + ": " + outcome.what());
        }
      }
    }
  }

  /** Several clients at the same time, as often as a fault of chance may need. */
  private void together(String name) throws Exception {
    Crowd crowd = new Crowd(trial);
    for (Scenario scenario : scenarios) {
      for (int a = 0; a < ATTEMPTS && scenario.name().equals(name) && rest.isEmpty(); a++) {
        String failure = crowd.together(scenario, random.split(), Hunt.REQUESTS);
        if (failure != null) {
          rest.add(Hunt.TOGETHER + name + ", attempt " + a + ": " + failure);
        }
      }
    }
    System.out.println("hostile: " + trial);
  }

  /** Attacks until the time is over, and at least once in each way. */
  void run(Duration time) throws Exception {
    stage();
    if (!HUNT_ONLY) {
      storage.restart();
    }
    List<Scenario> right = scenarios.stream().filter(s -> !wrong.contains(s)).toList();
    hunt = new Hunt(trial, right, random.split());
    long heapBefore = target.heapAfterCollection();
    long end = System.nanoTime() + time.toNanos();
    int rounds = 0;
    do {
      for (int a = 0; a < ATTEMPTS && (rounds == 0 || System.nanoTime() < end); a++) {
        hunt.attempt();
      }
      if (HUNT_ONLY) {
        System.out.println("hostile: " + trial + "; " + hunt);
        continue;
      }
      for (WrongRights attack : WrongRights.values()) {
        Shot shot = attack.shot(random);
        String fault = attack.fault(shot, target.send(shot));
        if (fault != null) {
          rest.add(fault);
        }
      }
      storage.damageAndMend(random);
      Runnable makeUsable = storage.makeUnusable(random);
      for (Shot shot : BrokenStorage.shots()) {
        Answer answer = target.send(shot);
        if (answer.status() == 500 || answer.status() < 0) {
          rest.add("storage: " + shot + " -> " + answer);
        }
      }
      makeUsable.run();
      rounds++;
      System.out.println("hostile: " + rounds + " rounds, " + trial.requests() + " requests");
    } while (System.nanoTime() < end);
    Map<String, Long> breakers = tidyUp();
    long heapAfter = target.heapAfterCollection();
    if (heapAfter > heapBefore + FLAT * target.maxHeap()) {
      rest.add("heap after collection: " + heapBefore + " before, " + heapAfter + " after");
    }
    write(rounds, breakers, heapBefore, heapAfter);
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
    result.put("seed", seed).put("requests", trial.requests()).put("rounds", rounds);
    result.put("processor_seconds", trial.cpu());
    result.set("faults", JSON.valueToTree(faults()));
    result.set("breakers_at_end", JSON.valueToTree(breakers));
    result.put("heap_before", heapBefore).put("heap_after", heapAfter);
    Path file = Path.of(System.getProperty("hostile.output", "target/hostile.json"));
    Files.writeString(file, result.toPrettyString());
    System.out.println("hostile: " + file.toAbsolutePath() + ": " + trial.requests() + " requests");
  }
}
