// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.ValueResponse;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.wire.WireRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;

/**
 * Moves an alias to versions that every data node has compiled, or takes it away, in the cluster
 * state.
 */
public final class ActivateAliasAction {
  public static final ActionType<ValueResponse<Published>> INSTANCE =
      new ActionType<>(
          "cluster:admin/quickscorer/alias/publish", ValueResponse.reader(Published.class));

  private ActivateAliasAction() {}

  /**
   * What to publish.
   *
   * @param target null to take the alias away
   * @param loaded the versions of the target's models that are loaded everywhere
   * @param ifTarget what the alias must stand for until then, or null for whatever
   */
  record Change(@Nullable Shares target, List<ModelId> loaded, @Nullable Shares ifTarget)
      implements ActivationRequest.Change {}

  /**
   * The alias before and after.
   *
   * @param acknowledged whether all nodes have it so; if not, those that are behind will
   * @param before null if there was none of that name
   * @param after null if it was taken away
   */
  record Published(boolean acknowledged, @Nullable ModelAlias before, @Nullable ModelAlias after)
      implements WireRecord {}
}
