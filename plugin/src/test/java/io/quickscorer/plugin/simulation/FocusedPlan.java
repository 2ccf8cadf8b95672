// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.simulation.Step.Fault;
import io.quickscorer.plugin.simulation.Step.Kind;
import io.quickscorer.plugin.simulation.Step.Operation;
import io.quickscorer.plugin.simulation.Step.Trouble;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Draws plans in which a few kinds of operations and faults concern a few names, all within moments
 * of each other: most operations concern the same kind of thing, and some begin when a fault ends.
 * So they overlap more often than in a plan with everything.
 */
final class FocusedPlan {
  /** Simulated milliseconds in which everything begins. */
  private static final int LENGTH = 60_000;

  /** Each restore doubles the values that a name may have. */
  private static final int MAX_RESTORES = 2;

  /** Kinds that concern the same things. */
  private static final List<List<Kind>> KINDS =
      List.of(
          List.of(Kind.UPLOAD, Kind.CREATE_MODEL, Kind.DELETE_MODEL, Kind.SEARCH),
          List.of(Kind.UPLOAD, Kind.MOVE, Kind.ROLL_BACK, Kind.DELETE_ALIAS, Kind.SEARCH),
          List.of(Kind.PUT_SET, Kind.CREATE_SET, Kind.DELETE_SET, Kind.READ_SET),
          List.of(
              Kind.UPLOAD,
              Kind.CREATE_MODEL,
              Kind.DELETE_MODEL,
              Kind.MOVE,
              Kind.ROLL_BACK,
              Kind.DELETE_ALIAS,
              Kind.PUT_SET,
              Kind.CREATE_SET,
              Kind.DELETE_SET,
              Kind.READ_SET,
              Kind.SEARCH));

  private static final List<Trouble> TROUBLES =
      List.of(
          Trouble.KILL,
          Trouble.KILL_HOST,
          Trouble.PAUSE,
          Trouble.SLOW,
          Trouble.PARTITION,
          Trouble.ONE_WAY,
          Trouble.DISCONNECT,
          Trouble.DISTURB,
          Trouble.LOSE,
          Trouble.DISK_FULL);

  private final Random random;
  private final int nodes;
  private final int names;
  private final List<Step> steps = new ArrayList<>();

  private FocusedPlan(Random random) {
    this.random = random;
    nodes = 1 + random.nextInt(5);
    names = 1 + random.nextInt(2);
  }

  /** The plan of a seed. */
  static Plan of(long seed) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    random.nextLong();
    FocusedPlan plan = new FocusedPlan(random);
    plan.draw();
    plan.steps.sort(Comparator.comparingLong(Step::time));
    return new Plan(seed, plan.nodes, plan.steps);
  }

  private void draw() {
    for (int name = 0; name < names; name++) {
      add(0, new Operation(Kind.UPLOAD, 0, "m" + name, 1 + name, ""));
      add(0, new Operation(Kind.PUT_SET, 0, "s" + name, 1, ""));
      add(2_000, new Operation(Kind.MOVE, 0, "a" + name, 0, "m" + name));
    }
    List<Kind> kinds = some(one(KINDS), 1 + random.nextInt(4));
    List<Trouble> troubles = some(TROUBLES, 1 + random.nextInt(2));
    boolean restores = random.nextBoolean();
    int bursts = 3 + random.nextInt(6);
    for (int burst = 0; burst < bursts; burst++) {
      draw(5_000 + random.nextInt(LENGTH), kinds, troubles, restores && burst < MAX_RESTORES);
    }
  }

  /** Adds what happens at about a time. */
  private void draw(int time, List<Kind> kinds, List<Trouble> troubles, boolean restores) {
    int spread = 20 << random.nextInt(8);
    int node = random.nextInt(nodes);
    ask(time, spread, 2 + random.nextInt(8), kinds, node);
    int faults = random.nextInt(3);
    for (int i = 0; i < faults; i++) {
      int begin = time + random.nextInt(2 * spread) - spread;
      Fault fault = fault(one(troubles), node);
      add(begin, fault);
      if (random.nextBoolean()) {
        int end = begin + (int) fault.duration();
        ask(end - spread / 2, 2 * spread, 1 + random.nextInt(5), kinds, node);
      }
    }
    if (restores) {
      add(time + random.nextInt(2 * spread) - spread, new Fault(Trouble.BACK_UP, 0, 0, 0));
      int delay = random.nextBoolean() ? 0 : random.nextInt(spread);
      int later = random.nextInt(random.nextBoolean() ? spread : 10_000);
      add(time + later, new Fault(Trouble.RESTORE, 0, delay, 0));
    }
  }

  /** Adds operations that begin within a span of time, most of them at one node. */
  private void ask(int from, int span, int operations, List<Kind> kinds, int node) {
    for (int i = 0; i < operations; i++) {
      int asked = random.nextInt(3) == 0 ? random.nextInt(nodes) : node;
      add(from + random.nextInt(span), operation(one(kinds), asked));
    }
  }

  private Operation operation(Kind kind, int node) {
    String number = Integer.toString(random.nextInt(names));
    String name =
        switch (kind) {
          case UPLOAD, CREATE_MODEL, DELETE_MODEL -> "m" + number;
          case PUT_SET, CREATE_SET, DELETE_SET, READ_SET -> "s" + number;
          case SEARCH -> (random.nextBoolean() ? "a" : "m") + number;
          default -> "a" + number;
        };
    boolean upload = kind == Kind.UPLOAD || kind == Kind.CREATE_MODEL;
    String target = kind == Kind.MOVE ? "m" + random.nextInt(names) : "";
    return new Operation(kind, node, name, 1 + random.nextInt(upload ? 3 : 100), target);
  }

  private Fault fault(Trouble trouble, int node) {
    int concerned =
        switch (random.nextInt(5)) {
          case 0 -> 0;
          case 1 -> Fault.PRIMARY;
          case 2 -> Fault.PRIMARY | 1 << node;
          case 3 -> 1 << node;
          default -> random.nextInt(1 << nodes);
        };
    int amount =
        switch (trouble) {
          case SLOW -> 5 + random.nextInt(200);
          case DISTURB -> 1 + random.nextInt(100);
          default -> random.nextInt(2);
        };
    long duration = 200 + random.nextInt(random.nextBoolean() ? 4_000 : 50_000);
    return new Fault(trouble, concerned, duration, amount);
  }

  private void add(int time, Step.Action action) {
    steps.add(new Step(time, action));
  }

  private <T> T one(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  /** Draws some of all, perhaps the same one several times. */
  private <T> List<T> some(List<T> all, int count) {
    List<T> drawn = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      drawn.add(one(all));
    }
    return drawn;
  }
}
