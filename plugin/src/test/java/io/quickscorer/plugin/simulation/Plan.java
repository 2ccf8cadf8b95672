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
import java.util.stream.IntStream;

/**
 * What happens in a simulation, and when; all of it is drawn from the seed. The seed also decides
 * how long each message and each task takes.
 *
 * @param nodes of the cluster
 */
record Plan(long seed, int nodes, List<Step> steps) {
  private static final int MAX_NODES = 7;

  /** Simulated milliseconds in which everything begins. */
  private static final int LENGTH = 60_000;

  Plan {
    steps = List.copyOf(steps);
  }

  /** The plan of a seed; negative seeds have focused plans. */
  static Plan of(long seed) {
    return seed < 0 ? FocusedPlan.of(seed) : ofEverything(seed);
  }

  private static Plan ofEverything(long seed) {
    // Neighbouring seeds of this generator begin alike.
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    random.nextLong();
    int nodes = 1 + random.nextInt(random.nextBoolean() ? 3 : MAX_NODES);
    List<Step> steps = new ArrayList<>();
    int operations = 20 + random.nextInt(80);
    for (int i = 0; i < operations; i++) {
      steps.add(new Step(random.nextInt(LENGTH), operation(random, nodes)));
    }
    int faults = random.nextInt(12);
    for (int i = 0; i < faults; i++) {
      steps.add(new Step(random.nextInt(LENGTH), fault(random, nodes)));
    }
    if (seed % 3 == 0) {
      steps.add(
          new Step(
              random.nextInt(LENGTH),
              new Fault(Trouble.FULL, 1 << random.nextInt(nodes), 1 + random.nextInt(4_000), 0)));
    }
    more(seed, random, nodes, steps);
    steps.sort(Comparator.comparingLong(Step::time));
    return new Plan(seed, nodes, steps);
  }

  /** Adds searches to all plans, and further faults to some. */
  private static void more(long seed, Random random, int nodes, List<Step> steps) {
    int searches = random.nextInt(40);
    for (int i = 0; i < searches; i++) {
      String name = random.nextInt(4) == 0 ? "m" + random.nextInt(3) : "a" + random.nextInt(2);
      Operation search = new Operation(Kind.SEARCH, random.nextInt(nodes), name, 0, "");
      steps.add(new Step(random.nextInt(LENGTH), search));
    }
    int disks = Math.max(0, random.nextInt(6) - 2);
    for (int i = 0; i < disks; i++) {
      Trouble trouble = random.nextBoolean() ? Trouble.LOSE : Trouble.DISK_FULL;
      int concerned = random.nextInt(3) == 0 ? 0 : 1 << random.nextInt(nodes);
      long duration = 200 + random.nextInt(random.nextBoolean() ? 4_000 : 50_000);
      steps.add(
          new Step(
              random.nextInt(LENGTH), new Fault(trouble, concerned, duration, random.nextInt(2))));
    }
    if (seed % 4 == 0) {
      int from = random.nextInt(LENGTH / 2);
      int to = from + random.nextInt(LENGTH / 2);
      steps.add(new Step(from, new Fault(Trouble.BACK_UP, 0, 0, 0)));
      steps.add(new Step(to, new Fault(Trouble.RESTORE, 0, random.nextInt(3_000), 0)));
    }
    if (seed % 5 == 0) {
      for (int node = 0; node < nodes; node++) {
        int after = node == nodes - 1 ? random.nextInt(2) : 0;
        long time = (node + 1L) * LENGTH / (nodes + 1) / 2;
        steps.add(
            new Step(
                time, new Fault(Trouble.UPGRADE, 1 << node, 1 + random.nextInt(4_000), after)));
      }
    }
  }

  /** Whether a node has no plugin in the beginning. */
  boolean beginsWithoutPlugin(int node) {
    return steps.stream()
        .anyMatch(
            step ->
                step.action() instanceof Fault fault
                    && fault.trouble() == Trouble.UPGRADE
                    && (fault.nodes() >> node & 1) == 1);
  }

  /**
   * The number of nodes that a new manager waits for before it uses its stored cluster state: most
   * nodes in one plan of seven. If nodes begin without the plugin, it waits for none, because these
   * nodes cannot join a cluster with models.
   */
  int recoverAfter() {
    return Math.floorMod(seed, 7) == 3 && !isUpgrade() ? nodes / 2 + 1 : 1;
  }

  /** Whether nodes begin without the plugin. */
  boolean isUpgrade() {
    return IntStream.range(0, nodes).anyMatch(this::beginsWithoutPlugin);
  }

  /** Whether nothing goes wrong. */
  boolean isQuiet() {
    return steps.stream().noneMatch(step -> step.action() instanceof Fault);
  }

  /** Returns this plan without some steps. */
  Plan with(List<Step> others) {
    return new Plan(seed, nodes, others);
  }

  private static Operation operation(Random random, int nodes) {
    Kind kind = kind(random.nextInt(100));
    String name =
        switch (kind) {
          case UPLOAD, DELETE_MODEL -> "m" + random.nextInt(3);
          case MOVE, ROLL_BACK, DELETE_ALIAS -> "a" + random.nextInt(2);
          case PUT_SET, CREATE_SET, DELETE_SET, READ_SET -> "s" + random.nextInt(2);
          default -> "";
        };
    return new Operation(
        kind,
        random.nextInt(nodes),
        name,
        1 + random.nextInt(kind == Kind.UPLOAD ? 3 : 100),
        kind == Kind.MOVE ? "m" + random.nextInt(3) : "");
  }

  private static Kind kind(int of100) {
    int[] upTo = {25, 31, 55, 65, 68, 78, 82, 87, 91, 95, 100};
    int kind = 0;
    while (of100 >= upTo[kind]) {
      kind++;
    }
    return Kind.values()[kind];
  }

  private static Fault fault(Random random, int nodes) {
    Trouble trouble =
        random.nextInt(4) == 0
            ? Trouble.DISTURB
            : Trouble.values()[random.nextInt(Trouble.FULL.ordinal())];
    int concerned =
        switch (trouble) {
          case PARTITION, ONE_WAY, DISCONNECT ->
              random.nextInt(3) == 0 ? 0 : random.nextInt(1 << nodes);
          default -> random.nextInt(3) == 0 ? 0 : 1 << random.nextInt(nodes);
        };
    int amount =
        switch (trouble) {
          case SLOW -> 5 + random.nextInt(200);
          case SKEW -> random.nextInt(120_000) - 60_000;
          case DISTURB -> 1 + random.nextInt(100);
          default -> 0;
        };
    long duration = 200 + random.nextInt(random.nextBoolean() ? 4_000 : 50_000);
    return new Fault(trouble, concerned, duration, amount);
  }
}
