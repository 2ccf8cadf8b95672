// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.simulation.Answer.Outcome;
import io.quickscorer.plugin.simulation.Step.Kind;
import org.opensearch.cluster.routing.IndexShardRoutingTable;
import org.opensearch.test.disruption.DisruptableMockTransport.ConnectionStatus;

/** Simulated clusters whose index of models is restored while a request is carried out. */
public class RestoreTests extends InterleavingTestCase {
  public void testAnUploadIsRefusedWhoseIndexIsRestored() {
    simulate(
        3,
        simulation -> {
          SimulatedNode manager = simulation.cluster.manager();
          // The nodes keep the first version, and don't read it again.
          done(simulation, of(Kind.UPLOAD, manager, "m0", 1));
          done(simulation, of(Kind.UPLOAD, manager, "m0", 2));
          simulation.cluster.run(10_000);
          simulation.cluster.backups.backUp();
          Pending uploaded = simulation.send(of(Kind.UPLOAD, manager, "m0", 1));
          ShardCopy copy = simulation.cluster.copy(primary(simulation).name);
          int documents = copy.existing().size();
          simulation.until(() -> copy.existing().size() > documents + 1, "the model is not stored");
          simulation.cluster.backups.closes = false;
          simulation.restore(0);
          awaitAnswer(simulation, uploaded, Outcome.REFUSED);
        });
  }

  public void testAnUploadIsNotMadeIfTheIndexThatItCreatesIsRestored() {
    simulate(
        3,
        2 * SEEDS,
        simulation -> {
          SimulatedCluster cluster = simulation.cluster;
          SimulatedNode manager = cluster.manager();
          done(simulation, of(Kind.UPLOAD, manager, "m0", 1));
          done(simulation, of(Kind.UPLOAD, manager, "m0", 2));
          cluster.run(10_000);
          cluster.backups.backUp();
          Pending uploaded = simulation.send(of(Kind.UPLOAD, manager, "m0", 1));
          // By then the upload has read its feature set, and in most seeds is not stored.
          cluster.run(1_500);
          simulation.restore(LATE);
          simulation.until(
              () -> ShardHost.routing(manager.state()) == null, "the index is not deleted");
          simulation.until(
              () -> uploaded.answer() != null || hasModel(cluster),
              "the model is not stored in a new index");
          simulation.restore(0);
        });
  }

  public void testAMoveBeforeTheImportOfARestoredIndexOutlivesARestart() {
    simulate(
        1,
        simulation -> {
          begin(simulation);
          SimulatedNode manager = simulation.cluster.manager();
          simulation.cluster.run(10_000);
          simulation.cluster.backups.backUp();
          restoreInPlace(simulation, manager);
          simulation.send(move(manager, "a0", "m1"));
          simulation.until(() -> target(manager).equals("m1"), "the alias is not moved");
          simulation.kill(manager);
          simulation.cluster.start(0);
          simulation.cluster.run(LATE);
          awaitMove(simulation, "m1");
        });
  }

  public void testADeletionBeforeTheImportOfARestoredIndexOutlivesARestart() {
    simulate(
        1,
        simulation -> {
          SimulatedNode manager = simulation.cluster.manager();
          done(simulation, of(Kind.UPLOAD, manager, "m0", 1));
          simulation.cluster.run(10_000);
          simulation.cluster.backups.backUp();
          restoreInPlace(simulation, manager);
          simulation.send(of(Kind.DELETE_MODEL, manager, "m0", 0));
          simulation.until(
              () -> ModelsMetadata.of(manager.state()).get("m0") == null, "m0 is not deleted");
          simulation.kill(manager);
          simulation.cluster.start(0);
          simulation.cluster.run(LATE);
          assertNull(ModelsMetadata.of(simulation.cluster.manager().state()).get("m0"));
        });
  }

  private static void restoreInPlace(Simulation simulation, SimulatedNode manager) {
    String incarnation = ModelIndex.incarnation(manager.state());
    simulation.restore(0);
    simulation.until(
        () -> !ModelIndex.incarnation(manager.state()).equals(incarnation),
        "the index is not restored");
  }

  public void testALateDeletionDoesNotDeleteTheDocumentsOfARestoredVersion() {
    simulate(
        3,
        simulation -> {
          SimulatedCluster cluster = simulation.cluster;
          SimulatedNode manager = cluster.manager();
          SimulatedNode sender = otherThan(simulation, manager);
          done(simulation, of(Kind.UPLOAD, manager, "m0", 1));
          cluster.run(10_000);
          cluster.backups.backUp();
          Pending deleted = simulation.send(of(Kind.DELETE_MODEL, sender, "m0", 0));
          simulation.until(
              () -> ModelsMetadata.of(manager.state()).get("m0") == null, "m0 is not deleted");
          assertNull(deleted.answer());
          sender.time.pause(LATE);
          simulation.restore(2_000);
          simulation.until(
              () -> ModelsMetadata.of(manager.state()).get("m0") != null, "m0 is not restored");
          assertNull(deleted.answer());
          awaitAnswer(simulation, deleted, Outcome.DONE);
        });
  }

  public void testASetWrittenToADeletedIndexIsNotAcknowledged() {
    simulate(
        3,
        simulation -> {
          begin(simulation);
          SimulatedCluster cluster = simulation.cluster;
          cluster.run(10_000);
          cluster.backups.backUp();
          SimulatedNode primary = primary(simulation);
          SimulatedNode other = otherThan(simulation, primary);
          for (SimulatedNode node : cluster.running()) {
            if (node != primary) {
              cluster.cut(primary.number(), node.number(), ConnectionStatus.BLACK_HOLE);
              cluster.cut(node.number(), primary.number(), ConnectionStatus.BLACK_HOLE);
            }
          }
          Pending written = simulation.send(of(Kind.CREATE_SET, primary, "s0", 2));
          simulation.until(
              () -> other.state().nodes().getSize() == 2, "the primary stays in the cluster");
          simulation.restore(2_000);
          simulation.until(
              () -> ShardHost.routing(other.state()) == null, "the index is not deleted");
          simulation.until(
              () -> ShardHost.routing(other.state()) != null, "the index is not restored");
          assertNull(written.answer());
          cluster.network.heal();
          simulation.until(() -> written.answer() != null, "no answer");
          cluster.run(LATE);
          if (written.answer().outcome() == Outcome.DONE) {
            Answer read = simulation.ask(of(Kind.READ_SET, primary, "s0", 0));
            assertEquals(read.toString(), Outcome.DONE, read.outcome());
          }
        });
  }

  /** Whether the index has all documents of a model. */
  private static boolean hasModel(SimulatedCluster cluster) {
    IndexShardRoutingTable routing = ShardHost.routing(cluster.manager().state());
    return routing != null
        && routing.primaryShard().active()
        && cluster.copy(routing.primaryShard().currentNodeId()).existing().stream()
            .anyMatch(document -> "model".equals(DocumentQuery.fields(document).get("kind")));
  }
}
