// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.Target.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Requests of several clients at the same time. */
final class Crowd {
  private final Trial trial;

  Crowd(Trial trial) {
    this.trial = trial;
  }

  /** Whether some client can store while another one searches. */
  static boolean fits(Scenario scenario) {
    return !all(scenario, Trial::stores).isEmpty() && !all(scenario, Trial::isSearch).isEmpty();
  }

  private static List<JsonNode> all(Scenario scenario, Predicate<JsonNode> which) {
    List<JsonNode> all = new ArrayList<>();
    for (JsonNode request : scenario.requests()) {
      if (which.test(request) && !Body.json(request).contains("{0.")) {
        all.add(request);
      }
    }
    return all;
  }

  /**
   * The requests that store, now right and now with another number, and those that search, each
   * again and again by a client of their own.
   *
   * @param times how many requests
   * @return one that failed because of the other, or null
   */
  @Nullable String together(Scenario scenario, SplittableRandom random, int times)
      throws Exception {
    trial.run(scenario, List.of()); // What is searched is there.
    List<JsonNode> others = all(scenario, Trial::stores);
    List<Change> numbers =
        Place.in(scenario.requests()).stream()
            .flatMap(place -> Change.all(place).stream())
            .filter(c -> c.kind() == Change.Kind.NUMBER && c.path().get(1).equals("body"))
            .map(c -> c.withSize(3))
            .toList();
    if (!numbers.isEmpty()) {
      Cell other = new Cell(scenario, List.of(Words.pick(numbers, random)));
      JsonNode changed = trial.changed(other);
      others.addAll(Trial.stores(changed) ? List.of(changed) : List.of());
    }
    AtomicLong left = new AtomicLong(times);
    return first(
        List.of(
            () -> repeat(others, false, left),
            () -> repeat(all(scenario, Trial::isSearch), true, left)));
  }

  private @Nullable String repeat(List<JsonNode> repeated, boolean search, AtomicLong left)
      throws InterruptedException {
    for (int r = 0; left.getAndDecrement() > 0; r = (r + 1) % repeated.size()) {
      Answer answer = trial.send(repeated.get(r), List.of());
      int status = answer.status();
      if (status < 0 || status >= 500 && status != 503 || search && status == 409) {
        left.set(0);
        return Trial.summary(repeated.get(r), answer, 0);
      }
    }
    return null;
  }

  /** A fault of changed requests, all at once, which the node has stood each by itself; or null. */
  @Nullable String volley(List<Cell> cells) throws Exception {
    List<Callable<@Nullable String>> clients = new ArrayList<>();
    Map<Cell, Trial.Ready> requests = new HashMap<>();
    for (Cell cell : cells) {
      Trial.Ready request =
          requests.computeIfAbsent(cell, c -> trial.ready(trial.changed(c), List.of()));
      clients.add(
          () -> {
            Answer answer = trial.send(request);
            return answer.status() >= 0 && answer.status() < 500 ? null : fault(cell, answer);
          });
    }
    String fault = first(clients);
    if (fault != null) {
      trial.recover(fault.substring(0, fault.indexOf(' ')), true);
    }
    return fault;
  }

  /** One after the other: large requests as trees are several times as large. */
  private synchronized @Nullable String fault(Cell cell, Answer answer)
      throws InterruptedException {
    JsonNode request = trial.changed(cell);
    String symptom = trial.symptom(request, answer, 0);
    return symptom == null ? null : symptom + " " + Trial.summary(request, answer, 0);
  }

  private static @Nullable String first(List<Callable<@Nullable String>> clients) throws Exception {
    try (ExecutorService threads =
        Executors.newCachedThreadPool(
            client -> new Thread(null, client, "hostile client", HostileIT.STACK))) {
      String first = null;
      for (Future<@Nullable String> answer : threads.invokeAll(clients)) {
        String wrong = answer.get();
        first = first == null ? wrong : first;
      }
      return first;
    }
  }
}
