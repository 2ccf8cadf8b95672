// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.Precondition;
import io.quickscorer.plugin.action.ValueResponse;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.wire.WireRecord;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;

/**
 * Makes a stored version the current one of its name, or takes a name away, in the cluster state.
 */
public final class ActivateModelAction {
  public static final String NAME = "cluster:admin/quickscorer/model/publish";
  public static final ActionType<ValueResponse<Published>> INSTANCE =
      new ActionType<>(NAME, ValueResponse.reader(Published.class));

  private ActivateModelAction() {}

  /**
   * What to publish.
   *
   * @param manifest null to take the name away
   * @param withAliases whether aliases of a name that is taken away go with it
   * @param confirmation whether nothing is to change
   */
  record Change(
      @Nullable ModelManifest manifest,
      Precondition precondition,
      boolean withAliases,
      boolean confirmation)
      implements ActivationRequest.Change {
    /**
     * A version may have been published, replaced and deleted before its request was refused: it
     * must be stored anew.
     */
    @Override
    public boolean isRepeatable() {
      return manifest == null;
    }
  }

  /** Makes that version current. */
  static ActivationRequest<Change> put(ModelManifest manifest, Precondition precondition) {
    return new ActivationRequest<>(
        manifest.id().name(), new Change(manifest, precondition, false, false));
  }

  /** Leaves all as it is if that version is current, as some node has it; else it is stale. */
  static ActivationRequest<Change> confirm(ModelManifest manifest) {
    return new ActivationRequest<>(
        manifest.id().name(), new Change(manifest, Precondition.NONE, false, true));
  }

  /** Takes the name away, unless an alias stands for it. */
  static ActivationRequest<Change> delete(String name) {
    return new ActivationRequest<>(name, new Change(null, Precondition.NONE, false, false));
  }

  /** Takes a version's name away if it is still that version's, and its aliases with it. */
  static ActivationRequest<Change> deleteWithAliases(ModelId id) {
    return new ActivationRequest<>(
        id.name(), new Change(null, new Precondition(false, id.version()), true, false));
  }

  /**
   * What stood there before.
   *
   * @param acknowledged whether all nodes have it so; if not, those that are behind will
   * @param replaced the manifest whose place was taken, or null if there was none
   */
  record Published(boolean acknowledged, @Nullable ModelManifest replaced) implements WireRecord {}
}
