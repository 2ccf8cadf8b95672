// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.store.Catalogue;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.model.store.ModelIndexClient;
import io.quickscorer.plugin.simulation.Answer.Outcome;
import io.quickscorer.plugin.simulation.HistorySpec.Final;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.coordination.LinearizabilityChecker;
import org.opensearch.cluster.coordination.LinearizabilityChecker.Event;
import org.opensearch.cluster.coordination.LinearizabilityChecker.EventType;
import org.opensearch.cluster.coordination.LinearizabilityChecker.History;
import org.opensearch.cluster.routing.IndexShardRoutingTable;
import org.opensearch.core.action.ActionListener;
import org.opensearch.gateway.GatewayService;

/** What must hold when everything has healed. Each check answers what is wrong, or null. */
final class Checks {
  /** Steps of the search for the order of a history. */
  private static final int MAX_LOOKS = 50_000;

  private final SimulatedCluster cluster;

  Checks(SimulatedCluster cluster) {
    this.cluster = cluster;
  }

  /** Whether a state lists models. */
  static boolean isRecovered(ClusterState state) {
    return !state.blocks().hasGlobalBlock(GatewayService.STATE_NOT_RECOVERED_BLOCK);
  }

  /**
   * All nodes are of one cluster, and have the same state. Nodes without the plugin are refused
   * while there are models in it.
   */
  private @Nullable String agree() {
    SimulatedNode manager = cluster.manager();
    if (manager == null) {
      return "there is no cluster manager";
    }
    ClusterState state = manager.state();
    for (SimulatedNode node : cluster.running()) {
      if ((node.plugin || !hasModels(state))
          && !node.state().stateUUID().equals(state.stateUUID())) {
        return node.name
            + " has cluster state "
            + node.state().version()
            + ", the manager has "
            + state.version();
      }
    }
    return null;
  }

  /** Nodes with the plugin and nodes without it follow the same manager. */
  void requireAgreement() {
    String failure = agree();
    if (failure != null) {
      throw new AssertionError("before the last upgrade: " + failure);
    }
  }

  /**
   * A manager puts models into the cluster state only if all its nodes can read them. It may have
   * such nodes from its election on, and the server may add a node afterwards that it validated
   * before.
   */
  static void readable(ClusterChangedEvent event) {
    ClusterState before = event.previousState();
    if (before.nodes().isLocalNodeElectedClusterManager()
        && event.localNodeClusterManager()
        && isRecovered(before)
        && !hasModels(before)
        && hasModels(event.state())
        && WireLevel.of(event.state().nodes()).version() != Wire.CURRENT) {
      throw new AssertionError("not all can read the models: " + event.state().nodes());
    }
  }

  private static boolean hasModels(ClusterState state) {
    return state.metadata().custom(ModelsMetadata.TYPE) != null;
  }

  /** All nodes agree, and can score by every model. */
  @Nullable String settled() {
    String failure = agree();
    if (failure != null) {
      return failure;
    }
    SimulatedNode manager = cluster.manager();
    ClusterState state = manager.state();
    ModelsMetadata models = ModelsMetadata.of(state);
    IndexShardRoutingTable routing = ShardHost.routing(state);
    if (routing == null || !routing.primaryShard().active()) {
      return "the index of models is not there: " + routing;
    }
    for (SimulatedNode node : cluster.running()) {
      Set<String> current = new TreeSet<>();
      for (ModelState model : node.models.states()) {
        if (model.current() && model.phase() == ModelState.Phase.LOADED) {
          current.add(model.id().name());
        }
      }
      Set<String> wanted = new TreeSet<>(models.models().keySet());
      wanted.removeIf(name -> !current.contains(name) && cluster.backups.isLost(models.get(name)));
      if (!current.equals(wanted)) {
        return node.name
            + " has loaded "
            + current
            + " of "
            + models.models().keySet()
            + ": "
            + node.models.states();
      }
    }
    return null;
  }

  /**
   * The history and the values at its end have an order in which each thing happens once. A name
   * with so many overlapping operations that the search for an order takes too long is counted.
   */
  @Nullable String linearizable(History history, Counts counts) {
    Map<String, String> values = values();
    if (values.containsKey(UNREADABLE)) {
      return values.get(UNREADABLE);
    }
    Set<String> keys = new TreeSet<>(values.keySet());
    HistorySpec spec = new HistorySpec();
    for (Event event : history.copyEvents()) {
      if (event.type == EventType.INVOCATION) {
        keys.add((String) spec.getKey(event.value));
      }
    }
    for (String key : keys) {
      int event = history.invoke(new Final(key));
      String value = values.getOrDefault(key, HistorySpec.NONE);
      cluster.trace("finally " + key + " = " + value);
      history.respond(event, new Answer(Outcome.DONE, value));
    }
    for (List<Event> events : spec.partition(history.copyEvents())) {
      Boolean ordered = hasOrder(spec, events);
      if (ordered == null) {
        counts.undecided++;
      } else if (!ordered) {
        return "the history of "
            + spec.getKey(events.getFirst().value)
            + " has no order: "
            + describe(events);
      }
    }
    return null;
  }

  /** Whether a history has an order; null if the search for one takes too long. */
  private static @Nullable Boolean hasOrder(HistorySpec spec, List<Event> events) {
    int[] looks = {0};
    try {
      boolean ordered =
          new LinearizabilityChecker()
              .isLinearizable(
                  spec,
                  new History(events),
                  input -> HistorySpec.NEVER,
                  () -> ++looks[0] > MAX_LOOKS);
      return ordered || looks[0] <= MAX_LOOKS ? ordered : null;
    } catch (HistorySpec.Undecided e) {
      return null;
    }
  }

  private static final String UNREADABLE = "unreadable";

  private static String describe(List<Event> events) {
    StringBuilder all = new StringBuilder();
    for (Event event : events) {
      all.append(System.lineSeparator())
          .append("    ")
          .append(event.id)
          .append(event.type == EventType.INVOCATION ? " asks " : " gets ")
          .append(event.value);
    }
    return all.toString();
  }

  private Map<String, String> values() {
    SimulatedNode manager = cluster.manager();
    ModelsMetadata models = ModelsMetadata.of(manager.state());
    Map<String, String> values = new TreeMap<>();
    for (ModelManifest manifest : new TreeMap<>(models.models()).values()) {
      values.put("model " + manifest.id().name(), Integer.toString(Users.mark(manifest.sha256())));
      await(
          listener -> manager.store.verify(manifest, listener),
          failure -> {
            if (!cluster.backups.isLost(manifest)) {
              values.put(UNREADABLE, manifest.id() + " is not whole: " + failure);
            }
          });
    }
    for (ModelAlias alias : models.aliases().values()) {
      values.put("alias " + alias.name(), Users.shown(alias));
      if (models.get(alias.model()) == null) {
        values.put(UNREADABLE, "alias " + alias.name() + " stands for no model");
      }
    }
    MemoryCharge listed = MemoryCharge.none(manager.breaker, "<list of feature sets>");
    manager.featureSets.list(
        listed,
        ActionListener.wrap(
            sets ->
                sets.forEach(
                    set -> values.put("set " + set.name(), Integer.toString(Users.value(set)))),
            failure -> values.put(UNREADABLE, "the feature sets can't be read: " + failure)));
    cluster.run(10_000);
    listed.close();
    return values;
  }

  private void await(Consumer<ActionListener<Void>> action, Consumer<Exception> failed) {
    action.accept(ActionListener.wrap(done -> {}, failed::accept));
    cluster.run(10_000);
  }

  /**
   * No document is left that no model names, the catalogue is that of the state, no byte is held.
   */
  @Nullable String swept() {
    SimulatedNode manager = cluster.manager();
    if (manager == null) {
      return "there is no cluster manager";
    }
    Set<String> uploads = new TreeSet<>();
    ModelsMetadata models = ModelsMetadata.of(manager.state());
    models.models().values().forEach(manifest -> uploads.add(manifest.upload()));
    List<String> wrong = new ArrayList<>();
    ShardCopy primary = primary(manager.state());
    for (ShardDocument document : primary == null ? List.<ShardDocument>of() : primary.existing()) {
      Object upload = DocumentQuery.fields(document).get("upload");
      if (upload != null && !uploads.contains(upload)) {
        wrong.add("there is a document that no model names: " + document.id());
      }
    }
    ModelIndexClient own = new ModelIndexClient(manager.client, manager.clusterService);
    new Catalogue(own, new ModelIndex(own, manager.clusterService))
        .read(
            ActionListener.wrap(
                entry -> {
                  if (entry == null || !entry.models().hasSame(models)) {
                    wrong.add("the catalogue is not that of the cluster state");
                  }
                },
                failure -> wrong.add("the catalogue can't be read: " + failure)));
    cluster.run(1_000);
    if (!ModelIndex.isSynchronized(manager.state())) {
      wrong.add("the cluster state is not in step with the index");
    }
    for (SimulatedNode node : cluster.running()) {
      node.models.forgetFeatures();
      long held = node.models.states().stream().mapToLong(ModelState::bytes).sum();
      if (node.breaker.getUsed() != held) {
        wrong.add(node.name + " has charged " + node.breaker.getUsed() + " bytes for " + held);
      }
    }
    return wrong.isEmpty() ? null : String.join("; ", wrong);
  }

  /**
   * The primary. Other copies may have more: if the node of the primary joins the cluster again
   * together with an election, the server promotes another copy without a new primary term, so that
   * the others keep what that copy lacks (issue 19150 of OpenSearch).
   */
  private @Nullable ShardCopy primary(ClusterState state) {
    IndexShardRoutingTable routing = ShardHost.routing(state);
    return routing == null || !routing.primaryShard().active()
        ? null
        : cluster.copy(routing.primaryShard().currentNodeId());
  }
}
