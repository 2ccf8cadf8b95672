// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.simulation.Answer.Outcome;
import io.quickscorer.plugin.simulation.Step.Fault;
import io.quickscorer.plugin.simulation.Step.Kind;
import io.quickscorer.plugin.simulation.Step.Trouble;
import io.quickscorer.plugin.testing.CountingBreaker;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.test.disruption.DisruptableMockTransport.ConnectionStatus;

/**
 * Simulated clusters in which the order of a few events is given: a request is sent again because
 * its answer was lost, a copy of it arrives late, a primary is cut off from its replicas. The seed
 * decides the rest.
 */
public class InterleavingTests extends InterleavingTestCase {
  private static final String MOVES = "cluster:admin/quickscorer/alias/publish";
  private static final String MODELS = "cluster:admin/quickscorer/model/publish";

  /** More than the cluster state lists. */
  private static final int MANY_REQUESTS = 300;

  /** Another alias moves, so that there is a new cluster state, and requests are sent again. */
  private static void newState(Simulation simulation) {
    done(simulation, move(simulation.cluster.manager(), "other", "m0"));
  }

  public void testModelsThatCannotBeLoadedAreTriedOnceAMinute() {
    simulate(
        1,
        simulation -> {
          begin(simulation);
          SimulatedCluster cluster = simulation.cluster;
          cluster.fill(0, cluster.timeline.getCurrentTimeMillis() + 3_600_000);
          simulation.kill(cluster.manager());
          cluster.start(0);
          cluster.run(120_000);
          CountingBreaker breaker = cluster.manager().breaker;
          long before = breaker.refused();
          cluster.run(600_000);
          long tries = breaker.refused() - before;
          // Two models in ten minutes; the breaker refuses each load twice.
          assertTrue("refused charges: " + tries, tries >= 36 && tries <= 44);
        });
  }

  public void testAMoveWhoseAnswerIsLostIsNotMadeTwice() {
    simulate(3, simulation -> moveWithoutAnswer(simulation, false));
  }

  public void testANewManagerKnowsTheMoveWhoseAnswerIsLost() {
    simulate(3, simulation -> moveWithoutAnswer(simulation, true));
  }

  private static void moveWithoutAnswer(Simulation simulation, boolean election) {
    begin(simulation);
    SimulatedNode manager = simulation.cluster.manager();
    SimulatedNode sender = otherThan(simulation, manager);
    simulation.cluster.network.breakNext(MOVES, Integer.MAX_VALUE, 0);
    Pending moved = simulation.send(move(sender, "a0", "m1"));
    awaitMove(simulation, "m1");
    if (election) {
      simulation.kill(manager);
      simulation.until(
          () ->
              simulation.cluster.manager() != null
                  && simulation.cluster.manager().state().nodes().getSize() == 2,
          "no manager is elected");
      if (simulation.cluster.manager() == sender) {
        // Its request does not leave the node, and is answered.
        awaitAnswer(simulation, moved, Outcome.DONE);
        return;
      }
    }
    assertNull(moved.answer());
    done(simulation, move(simulation.cluster.manager(), "a0", "m0"));
    simulation.cluster.network.breakNext(MOVES, 0, 0);
    assertNull(moved.answer());
    newState(simulation);
    awaitAnswer(simulation, moved, Outcome.DONE);
    awaitMove(simulation, "m0");
  }

  public void testAMoveThatArrivesAfterManyOthersIsNotMade() {
    simulate(3, 1, simulation -> lateMove(simulation, false));
  }

  public void testAMoveOfANodeThatHasEndedDoesNotUndoALaterOne() {
    simulate(3, simulation -> lateMove(simulation, true));
  }

  private static void lateMove(Simulation simulation, boolean ends) {
    begin(simulation);
    SimulatedNode manager = simulation.cluster.manager();
    SimulatedNode sender = otherThan(simulation, manager);
    simulation.cluster.network.breakNext(MOVES, 1, LATE);
    long sent = simulation.cluster.timeline.getCurrentTimeMillis();
    Pending moved = simulation.send(move(sender, "a0", "m1"));
    simulation.cluster.run(1_000);
    if (ends) {
      simulation.kill(sender);
      simulation.until(
          () -> manager.state().nodes().getSize() == 2, "the node does not leave the cluster");
      done(simulation, move(manager, "a0", "m1"));
    } else {
      newState(simulation);
      awaitAnswer(simulation, moved, Outcome.DONE);
    }
    done(simulation, move(manager, "a0", "m0"));
    if (!ends) {
      for (int i = 0; i < MANY_REQUESTS; i++) {
        newState(simulation);
      }
    }
    long now = simulation.cluster.timeline.getCurrentTimeMillis();
    assertTrue("the late copy has arrived after " + (now - sent) + " ms", now < sent + LATE);
    simulation.cluster.run(LATE);
    awaitMove(simulation, "m0");
  }

  public void testARefusedDeletionIsNotMadeLater() {
    simulate(
        3,
        simulation -> {
          begin(simulation);
          SimulatedNode manager = simulation.cluster.manager();
          SimulatedNode sender = otherThan(simulation, manager);
          simulation.cluster.network.breakNext(MODELS, 1, LATE);
          Pending deleted = simulation.send(of(Kind.DELETE_MODEL, sender, "m0", 0));
          simulation.cluster.run(1_000);
          done(simulation, move(manager, "a1", "m1"));
          awaitAnswer(simulation, deleted, Outcome.REFUSED);
          done(simulation, move(manager, "a0", "m1"));
          simulation.cluster.run(LATE);
        });
  }

  /** The nodes with a copy of the index. */
  private static List<SimulatedNode> copies(Simulation simulation) {
    List<SimulatedNode> copies = new ArrayList<>();
    for (ShardRouting shard :
        ShardHost.routing(simulation.cluster.manager().state()).activeShards()) {
      copies.add(simulation.cluster.node(Integer.parseInt(shard.currentNodeId().substring(1))));
    }
    return copies;
  }

  /** The document of feature set s0 on a node's disk, or null. */
  private static @Nullable BytesReference document(Simulation simulation, SimulatedNode node) {
    ShardDocument found = simulation.cluster.copy(node.name).get("feature_set:s0");
    return found == null ? null : found.source();
  }

  public void testADeletionThatOnePrimaryAloneHasIsNotAcknowledged() {
    simulate(5, simulation -> writeOnOnePrimary(simulation, Kind.DELETE_SET));
  }

  public void testAFeatureSetThatOnePrimaryAloneHasIsNotAcknowledged() {
    simulate(5, simulation -> writeOnOnePrimary(simulation, Kind.PUT_SET));
  }

  private static void writeOnOnePrimary(Simulation simulation, Kind kind) {
    begin(simulation);
    SimulatedNode primary = primary(simulation);
    List<SimulatedNode> copies = copies(simulation);
    List<SimulatedNode> excluded = new ArrayList<>(copies);
    excluded.add(simulation.cluster.manager());
    SimulatedNode sender = otherThan(simulation, excluded.toArray(SimulatedNode[]::new));
    done(simulation, of(Kind.PUT_SET, sender, "s0", 1));
    BytesReference before = document(simulation, primary);
    assertNotNull(before);
    for (SimulatedNode copy : copies) {
      if (copy != primary) {
        simulation.cluster.cut(primary.number(), copy.number(), ConnectionStatus.BLACK_HOLE);
        simulation.cluster.cut(copy.number(), primary.number(), ConnectionStatus.BLACK_HOLE);
      }
    }
    Pending written = simulation.send(of(kind, sender, "s0", 2));
    simulation.until(
        () -> !before.equals(document(simulation, primary)), "the primary has not written");
    // The sender tries again when there is a new cluster state.
    simulation.cluster.disconnect(sender, primary);
    simulation.cluster.run(12_000);
    simulation.send(move(simulation.cluster.manager(), "other", "m0"));
    simulation.cluster.run(3_000);
    simulation.kill(primary);
    simulation.cluster.network.heal();
    simulation.until(() -> written.answer() != null, "no answer");
    if (written.answer().outcome() == Outcome.DONE) {
      Answer read = simulation.ask(of(Kind.READ_SET, sender, "s0", 0));
      assertEquals(kind == Kind.DELETE_SET ? Outcome.MISSING : Outcome.DONE, read.outcome());
    }
  }

  public void testTheMarkOfADeletionIsNoFeatureSet() {
    simulate(
        5,
        simulation -> {
          begin(simulation);
          SimulatedNode primary = primary(simulation);
          SimulatedNode sender = otherThan(simulation, primary, simulation.cluster.manager());
          done(simulation, of(Kind.PUT_SET, primary, "s0", 1));
          BytesReference before = document(simulation, primary);
          simulation.send(of(Kind.DELETE_SET, sender, "s0", 0));
          simulation.until(
              () -> !before.equals(document(simulation, primary)), "the primary has no mark");
          simulation.kill(sender);
          simulation.cluster.run(5_000);
          assertNotNull(document(simulation, primary));
          for (Kind kind : List.of(Kind.READ_SET, Kind.DELETE_SET)) {
            Answer answer = simulation.ask(of(kind, primary, "s0", 0));
            assertEquals(kind + ": " + answer, Outcome.MISSING, answer.outcome());
          }
          assertEquals("CREATED", done(simulation, of(Kind.CREATE_SET, primary, "s0", 2)).text());
        });
  }

  public void testAClusterWithANodeWithoutThePluginGetsNoModels() {
    simulate(
        3,
        2 * SEEDS,
        List.of(new Step(0, new Fault(Trouble.UPGRADE, 1, 1, 1))),
        simulation -> simulation.cluster.run(LATE));
  }
}
