// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import com.carrotsearch.randomizedtesting.RandomizedContext;
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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.cluster.coordination.LinearizabilityChecker.History;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.test.disruption.DisruptableMockTransport.ConnectionStatus;

/**
 * Runs a {@link Plan}: the cluster starts, everything happens, everything heals, all is checked.
 */
final class Simulation {
  /** Simulated milliseconds until an undisturbed cluster is ready. */
  private static final long READY = 5_000;

  /** Simulated milliseconds after the last fault until everything must have settled. */
  private static final long SETTLE = 180_000;

  /** Simulated milliseconds after the last fault in which nodes may have no memory yet. */
  private static final long FULL = 60_000;

  /** Simulated milliseconds in which a cluster that has settled answers a request. */
  private static final long PROMPT = 20_000;

  private final Plan plan;
  private final Trace trace = new Trace();
  private final Counts counts = new Counts();
  final SimulatedCluster cluster;
  private final History history = new History();
  private final List<Pending> pending = new ArrayList<>();

  /** Operations that have failed, and may have taken place or do so later, with the moment. */
  private final Map<Pending, Integer> open = new LinkedHashMap<>();

  private int moment;
  private String manager = "";

  private Simulation(Plan plan, NodeEnvironment environment) {
    this.plan = plan;
    cluster =
        new SimulatedCluster(plan.nodes(), new Random(plan.seed() * 31 + 17), trace, environment);
  }

  /**
   * The result of a simulation.
   *
   * @param failure what was wrong, or null
   */
  record Result(Plan plan, Counts counts, Trace trace, @Nullable String failure) {}

  /** An operation that has been sent. */
  static final class Pending {
    private final Operation operation;
    private final SimulatedNode node;
    private final int event;
    private final int begun;
    private @Nullable Answer answer;

    Pending(Operation operation, SimulatedNode node, int event, int begun) {
      this.operation = operation;
      this.node = node;
      this.event = event;
      this.begun = begun;
    }

    /** The answer, or null if there is none yet. */
    @Nullable Answer answer() {
      return answer;
    }
  }

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
      cluster.start(node);
    }
    watch();
    cluster.run(READY);
    Operation base = new Operation(Kind.PUT_SET, 0, Users.BASE, 1, "");
    send(base);
    cluster.run(5_000);
    script.accept(this);
    long begin = cluster.timeline.getCurrentTimeMillis();
    for (Step step : plan.steps()) {
      cluster.timeline.scheduleAt(begin + step.time(), () -> happen(step.action()));
    }
    long last = plan.steps().isEmpty() ? 0 : plan.steps().getLast().time();
    cluster.run(last + 60_000);
    heal();
    cluster.run(SETTLE);
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
        if (!cluster.running().isEmpty()) {
          send(operation);
        }
      }
      case Fault fault -> disturb(fault);
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
    }
    if (node == null) {
      throw new IllegalStateException("no node runs");
    }
    counts.operations++;
    int event = operation.key().isEmpty() ? -1 : history.invoke(operation);
    Pending sent = new Pending(operation, node, event, moment);
    pending.add(sent);
    int number = pending.size();
    cluster.trace("#" + number + " " + operation + " at " + node.name);
    Users.send(
        node,
        operation,
        answer -> {
          cluster.trace("#" + number + " " + operation + ": " + answer);
          if (sent.answer != null) {
            throw new AssertionError("#" + number + " is answered twice");
          }
          sent.answer = answer;
          answered(sent, answer);
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

  private void disturb(Fault fault) {
    counts.faults++;
    cluster.trace(fault.toString());
    SimulatedNode leader = cluster.manager();
    int nodes = fault.nodes() != 0 || leader == null ? fault.nodes() : 1 << leader.number();
    long end = cluster.timeline.getCurrentTimeMillis() + fault.duration();
    switch (fault.trouble()) {
      case PARTITION, ONE_WAY, DISCONNECT -> {
        ConnectionStatus how =
            fault.trouble() == Step.Trouble.DISCONNECT
                ? ConnectionStatus.DISCONNECTED
                : ConnectionStatus.BLACK_HOLE;
        cut(nodes, how, fault.trouble() == Step.Trouble.ONE_WAY);
        cluster.timeline.scheduleAt(end, cluster.network::heal);
      }
      case DISTURB -> {
        cluster.network.disturb(20 * fault.amount(), fault.amount() / 1_000.0);
        cluster.timeline.scheduleAt(end, cluster.network::heal);
      }
      default -> {
        for (int number = 0; number < plan.nodes(); number++) {
          if ((nodes >> number & 1) == 1) {
            disturb(fault, number, end);
          }
        }
      }
    }
  }

  private void disturb(Fault fault, int number, long end) {
    SimulatedNode node = cluster.node(number);
    if (fault.trouble() == Step.Trouble.SKEW) {
      cluster.setSkew(number, fault.amount());
    }
    if (node == null) {
      return;
    }
    switch (fault.trouble()) {
      case KILL, KILL_HOST, FULL -> {
        counts.kills++;
        lost(node);
        cluster.kill(number, fault.trouble() != Step.Trouble.KILL_HOST);
        if (fault.trouble() == Step.Trouble.FULL) {
          cluster.fill(number, Long.MAX_VALUE);
        }
        cluster.timeline.scheduleAt(end, () -> cluster.start(number));
      }
      case PAUSE -> node.time.pause(fault.duration());
      case SLOW -> {
        node.time.slowDown(fault.amount());
        cluster.timeline.scheduleAt(end, () -> node.time.slowDown(1));
      }
      default -> {}
    }
  }

  private void cut(int nodes, ConnectionStatus how, boolean oneWay) {
    for (int a = 0; a < plan.nodes(); a++) {
      for (int b = 0; b < plan.nodes(); b++) {
        boolean leaves = (nodes >> a & 1) == 1 && (nodes >> b & 1) == 0;
        if (leaves) {
          cluster.cut(b, a, how);
          if (!oneWay) {
            cluster.cut(a, b, how);
          }
        }
      }
    }
  }

  private void heal() {
    cluster.trace("everything heals");
    cluster.network.heal();
    for (int number = 0; number < plan.nodes(); number++) {
      cluster.start(number);
      if (cluster.isFull(number)) {
        cluster.fill(number, cluster.timeline.getCurrentTimeMillis() + FULL);
      }
    }
  }

  /**
   * Whether an upload is refused because clocks differ, as they may after everything has healed.
   */
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
    Checks checks = new Checks(cluster);
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
      failure = checks.linearizable(history);
    }
    if (failure == null) {
      // Twice the time after which the sweeper has deleted what no model names.
      cluster.run(400_000);
      failure = checks.swept();
    }
    return failure;
  }
}
