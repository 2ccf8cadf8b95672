// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.simulation.Step.Operation;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateListener;

/** An operation that has been sent, and the versions that were live until it was answered. */
final class Pending implements ClusterStateListener {
  final Operation operation;
  final SimulatedNode node;
  final int event;
  final int begun;
  @Nullable Answer answer;

  /** The marks that a search by the name may find, none for no model. */
  private final Set<String> live = new TreeSet<>();

  Pending(Operation operation, SimulatedNode node, int event, int begun) {
    this.operation = operation;
    this.node = node;
    this.event = event;
    this.begun = begun;
  }

  void look(ClusterState state) {
    ModelManifest model = null;
    if (Checks.isRecovered(state)) {
      ModelsMetadata models = ModelsMetadata.of(state);
      ModelAlias alias = models.aliases().get(operation.name());
      model = models.get(alias == null ? operation.name() : alias.model());
    }
    live.add(model == null ? HistorySpec.NONE : Integer.toString(Users.mark(model.sha256())));
  }

  @Override
  public void clusterChanged(ClusterChangedEvent event) {
    look(event.state());
  }

  /** Checks that one version answered a search that was live meanwhile. */
  void check(boolean quiet) {
    Answer found = Objects.requireNonNull(answer);
    boolean fits =
        switch (found.outcome()) {
          case DONE -> live.contains(found.text());
          case MISSING -> live.contains(HistorySpec.NONE) || found.text().contains("uses version");
          default -> !quiet || live.contains(HistorySpec.NONE);
        };
    if (!fits) {
      throw new AssertionError(operation + ": " + found + ", but live were " + live);
    }
  }

  /** The answer, or null if there is none yet. */
  @Nullable Answer answer() {
    return answer;
  }
}
