// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import com.carrotsearch.randomizedtesting.RandomizedContext;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.simulation.Answer.Outcome;
import io.quickscorer.plugin.simulation.Step.Fault;
import io.quickscorer.plugin.simulation.Step.Kind;
import io.quickscorer.plugin.simulation.Step.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.cluster.coordination.LinearizabilityChecker.History;
import org.opensearch.env.NodeEnvironment;

/**
 * Runs a {@link Plan}: the cluster starts, everything happens, everything heals, all is checked.
 */
final class Simulation {
  /** Simulated milliseconds until an undisturbed cluster is ready. */
  private static final long READY = 5_000;

  /** Simulated milliseconds after the last fault until everything must have settled. */
  private static final long SETTLE = 180_000;

  /** Simulated milliseconds in which a cluster that has settled answers a request. */
  private static final long PROMPT = 20_000;

  private static final Operation BASE = new Operation(Kind.PUT_SET, 0, Users.BASE, 1, "");

  private final Plan plan;
  private final Trace trace = new Trace();
  private final Counts counts = new Counts();
  final SimulatedCluster cluster;
  private final Faults faults;
  private final Checks checks;
  private final History history = new History();
  private final List<Pending> pending = new ArrayList<>();

  /** Operations that have failed, and may have taken place or do so later, with the moment. */
  private final Map<Pending, Integer> open = new LinkedHashMap<>();

  private int moment;
  private String manager = "";

  private Simulation(Plan plan, NodeEnvironment environment) {
    this.plan = plan;
    cluster =
        new SimulatedCluster(
            plan.nodes(),
            plan.recoverAfter(),
            new Random(plan.seed() * 31 + 17),
            trace,
            environment);
    checks = new Checks(cluster);
    faults = new Faults(cluster, counts, this::lost, this::restoring);
  }

  private Runnable restoring(Operation restore) {
    int event = history.invoke(restore);
    cluster.trace(restore.toString());
    return () -> history.respond(event, Answer.of(""));
  }

  /**
   * The result of a simulation.
   *
   * @param failure what was wrong, or null
   */
  record Result(Plan plan, Counts counts, Trace trace, @Nullable String failure) {}

  /**
   * Runs a plan, always in the same way.
   *
   * @param environment of processes that keep no files
   */
  static Result run(Plan plan, NodeEnvironment environment) {
    return run(plan, environment, simulation -> {});
  }

  /**
   * Runs a plan after a script.
   *
   * @param script runs when the cluster is ready, before the plan's steps
   */
  static Result run(Plan plan, NodeEnvironment environment, Consumer<Simulation> script) {
    try {
      return RandomizedContext.current()
          .runWithPrivateRandomness(
              plan.seed(), () -> new Simulation(plan, environment).run(script));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Result run(Consumer<Simulation> script) {
    String failure = null;
    try {
      carryOut(script);
      failure = check();
    } catch (RuntimeException | AssertionError e) {
      failure = "the simulation ended by " + ExceptionsHelper.stackTrace(e);
    }
    counts.millis = cluster.timeline.getCurrentTimeMillis();
    counts.events = cluster.timeline.scheduled();
    cluster.running().forEach(SimulatedNode::kill);
    if (failure != null) {
      cluster.trace("WRONG: " + failure);
    }
    return new Result(plan, counts, trace, failure);
  }

  private void carryOut(Consumer<Simulation> script) {
    for (int node = 0; node < plan.nodes(); node++) {
      cluster.disk(node).plugin = !plan.beginsWithoutPlugin(node);
      cluster.start(node);
    }
    watch();
    cluster.run(READY);
    happen(BASE);
    cluster.run(5_000);
    script.accept(this);
    long begin = cluster.timeline.getCurrentTimeMillis();
    for (Step step : plan.steps()) {
      cluster.timeline.scheduleAt(begin + step.time(), () -> happen(step.action()));
    }
    long last = plan.steps().isEmpty() ? 0 : plan.steps().getLast().time();
    cluster.run(last + 60_000);
    faults.heal();
    cluster.run(SETTLE);
    if (plan.isUpgrade()) {
      checks.requireAgreement();
      faults.upgrade();
      cluster.run(SETTLE);
      ask(BASE);
      // The cluster states that the answer did not wait for.
      cluster.run(PROMPT);
    }
  }

  /** Counts elections. */
  private void watch() {
    SimulatedNode leader = cluster.manager();
    String now = leader == null ? manager : leader.local.getEphemeralId() + leader.state().term();
    if (!now.equals(manager)) {
      manager = now;
      counts.elections++;
      cluster.trace("manager is " + leader.name + " in term " + leader.state().term());
    }
    cluster.timeline.scheduleAt(cluster.timeline.getCurrentTimeMillis() + 100, this::watch);
  }

  private void happen(Step.Action action) {
    switch (action) {
      case Operation operation -> {
        if (cluster.running().stream().anyMatch(node -> node.plugin)) {
          send(operation);
        }
      }
      case Fault fault -> faults.disturb(fault);
    }
  }

  /** Sends an operation and runs until it is answered. */
  Answer ask(Operation operation) {
    Pending sent = send(operation);
    until(() -> sent.answer != null, operation + " has no answer");
    return Objects.requireNonNull(sent.answer);
  }

  /** Runs until a condition holds. */
  void until(BooleanSupplier condition, String otherwise) {
    long end = cluster.timeline.getCurrentTimeMillis() + SETTLE;
    while (!condition.getAsBoolean()) {
      if (cluster.timeline.getCurrentTimeMillis() > end) {
        throw new AssertionError(otherwise);
      }
      cluster.run(1);
    }
  }

  /** Restores the last snapshot, into the present index if the delay is 0. */
  void restore(long delay) {
    cluster.backups.restore(delay, this::restoring);
  }

  /** Ends a node's process; the others see their connections end. */
  void kill(SimulatedNode node) {
    counts.kills++;
    lost(node);
    cluster.kill(node.number(), true);
  }

  /** Sends an operation. */
  Pending send(Operation operation) {
    SimulatedNode node = null;
    for (int i = 0; i < plan.nodes() && node == null; i++) {
      node = cluster.node((operation.node() + i) % plan.nodes());
      node = node != null && node.plugin ? node : null;
    }
    if (node == null) {
      throw new IllegalStateException("no node runs");
    }
    counts.operations++;
    int event = operation.key().isEmpty() ? -1 : history.invoke(operation);
    Runnable deleted = cluster.backups.deleting(operation, this::restoring);
    Pending sent = new Pending(operation, node, event, moment);
    if (operation.kind() == Kind.SEARCH) {
      sent.look(node.state());
      node.clusterService.addListener(sent);
    }
    pending.add(sent);
    int number = pending.size();
    cluster.trace("#" + number + " " + operation + " at " + node.name);
    Users.send(
        node,
        operation,
        answer -> {
          if (sent.node.time.hasEnded()) {
            return; // It ended in the middle of the event.
          }
          cluster.trace("#" + number + " " + operation + ": " + answer);
          if (sent.answer != null) {
            throw new AssertionError("#" + number + " is answered twice");
          }
          sent.answer = answer;
          if (operation.kind() == Kind.SEARCH) {
            sent.node.clusterService.removeListener(sent);
            sent.check(plan.isQuiet());
          }
          answered(sent, answer);
          deleted.run();
        });
    return sent;
  }

  private void answered(Pending sent, Answer answer) {
    if (answer.outcome() == Outcome.UNKNOWN) {
      if (sent.event >= 0) {
        open.put(sent, ++moment);
      }
      return;
    }
    if (answer.outcome() == Outcome.DONE) {
      counts.acknowledged++;
      close(sent);
    }
    if (sent.event >= 0) {
      history.respond(sent.event, answer);
    }
  }

  /**
   * Ends the operations that have failed before one began that is now acknowledged: by the fence
   * they can't take place after it. A feature set has no such fence.
   */
  private void close(Pending done) {
    String key = done.operation.key();
    if (key.isEmpty() || key.startsWith("set ")) {
      return;
    }
    open.entrySet()
        .removeIf(
            failed -> {
              boolean over =
                  failed.getValue() <= done.begun && failed.getKey().operation.key().equals(key);
              if (over) {
                history.respond(failed.getKey().event, HistorySpec.NEVER);
              }
              return over;
            });
  }

  /** The operations that a process takes with it have failed. */
  private void lost(SimulatedNode node) {
    moment++;
    for (Pending sent : pending) {
      if (sent.node == node && sent.answer == null && sent.event >= 0) {
        open.put(sent, moment);
      }
    }
  }

  /** Whether an upload is refused because clocks differ, as they may after all has healed. */
  private boolean isForItsClock(Answer answer) {
    return cluster.isSkewed() && answer.text().contains("check the clocks of the nodes");
  }

  private @Nullable String check() {
    for (int i = 0; i < pending.size(); i++) {
      Pending sent = pending.get(i);
      if (sent.answer == null && !sent.node.time.hasEnded()) {
        return "#" + (i + 1) + " " + sent.operation + " has no answer";
      }
    }
    String failure = checks.settled();
    for (int node = 0; node < plan.nodes() && failure == null; node++) {
      Operation upload = new Operation(Kind.UPLOAD, node, "late", 1 + node % 3, "");
      send(upload);
      cluster.run(PROMPT);
      Answer answer = pending.getLast().answer;
      if (answer == null || (answer.outcome() != Outcome.DONE && !isForItsClock(answer))) {
        failure = upload + " at n" + node + " is not made, though all has healed: " + answer;
      }
    }
    if (failure == null) {
      failure = searchable();
    }
    if (failure == null) {
      failure = checks.linearizable(history, counts);
    }
    if (failure == null) {
      // Twice the time after which the sweeper has deleted what no model names.
      cluster.run(400_000);
      failure = checks.swept();
    }
    return failure;
  }

  /** Each node finds the hits of each model and alias. */
  private @Nullable String searchable() {
    ModelsMetadata models = ModelsMetadata.of(cluster.manager().state());
    int first = pending.size();
    for (SimulatedNode node : cluster.running()) {
      for (String name : new TreeSet<>(models.aliases().keySet())) {
        if (!cluster.backups.isLost(models.resolve(name))) {
          send(new Operation(Kind.SEARCH, node.number(), name, 0, ""));
        }
      }
    }
    cluster.run(PROMPT);
    for (Pending sent : pending.subList(first, pending.size())) {
      Answer found = sent.answer;
      if (found == null || found.outcome() != Outcome.DONE) {
        return sent.operation + " at " + sent.node.name + " finds nothing: " + found;
      }
    }
    return null;
  }
}
