// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.simulation.Answer.Outcome;
import io.quickscorer.plugin.simulation.Simulation.Result;
import io.quickscorer.plugin.simulation.Step.Kind;
import io.quickscorer.plugin.simulation.Step.Operation;
import java.util.List;
import java.util.function.Consumer;
import org.opensearch.cluster.routing.ShardRouting;

/**
 * Tests of simulated clusters in which the order of a few events is given; a seed decides the rest.
 */
public abstract class InterleavingTestCase extends SimulationTestCase {
  static final int SEEDS = 2;

  /** Milliseconds in which everything else happens. */
  static final int LATE = 120_000;

  final void simulate(int nodes, Consumer<Simulation> script) {
    simulate(nodes, SEEDS, script);
  }

  final void simulate(int nodes, int seeds, Consumer<Simulation> script) {
    simulate(nodes, seeds, List.of(), script);
  }

  final void simulate(int nodes, int seeds, List<Step> steps, Consumer<Simulation> script) {
    for (int seed = 1; seed <= seeds; seed++) {
      Result result = Simulation.run(new Plan(seed, nodes, steps), environment, script);
      if (result.failure() != null) {
        print(result);
        throw new AssertionError("seed " + seed + ": " + result.failure());
      }
    }
  }

  static Operation move(SimulatedNode node, String alias, String model) {
    return new Operation(Kind.MOVE, node.number(), alias, 0, model);
  }

  static Answer done(Simulation simulation, Operation operation) {
    Answer answer = simulation.ask(operation);
    assertEquals(operation + ": " + answer, Outcome.DONE, answer.outcome());
    return answer;
  }

  static Operation of(Kind kind, SimulatedNode node, String name, int value) {
    return new Operation(kind, node.number(), name, value, "");
  }

  /** Two models and an alias that stands for the first one. */
  static void begin(Simulation simulation) {
    SimulatedNode manager = simulation.cluster.manager();
    done(simulation, of(Kind.UPLOAD, manager, "m0", 1));
    done(simulation, of(Kind.UPLOAD, manager, "m1", 2));
    done(simulation, move(manager, "a0", "m0"));
  }

  static SimulatedNode otherThan(Simulation simulation, SimulatedNode... excluded) {
    return simulation.cluster.running().stream()
        .filter(node -> !List.of(excluded).contains(node))
        .findFirst()
        .orElseThrow();
  }

  /** The model for which a node has alias a0. */
  static String target(SimulatedNode node) {
    return ModelsMetadata.of(node.state()).aliases().get("a0").model();
  }

  static void awaitMove(Simulation simulation, String model) {
    simulation.until(
        () -> simulation.cluster.running().stream().allMatch(node -> target(node).equals(model)),
        "a0 is not moved to " + model);
  }

  static void awaitAnswer(Simulation simulation, Pending sent, Outcome outcome) {
    simulation.until(() -> sent.answer() != null, "no answer");
    assertEquals(String.valueOf(sent.answer()), outcome, sent.answer().outcome());
  }

  static SimulatedNode primary(Simulation simulation) {
    SimulatedCluster cluster = simulation.cluster;
    ShardRouting primary = ShardHost.routing(cluster.manager().state()).primaryShard();
    return cluster.node(Integer.parseInt(primary.currentNodeId().substring(1)));
  }
}
