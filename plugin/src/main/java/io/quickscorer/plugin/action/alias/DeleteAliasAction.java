// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.alias;

import org.opensearch.action.ActionType;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;

/** Deletes an alias; its model stays. */
public final class DeleteAliasAction extends ActionType<AcknowledgedResponse> {
  public static final String NAME = "cluster:admin/quickscorer/alias/delete";
  public static final DeleteAliasAction INSTANCE = new DeleteAliasAction();

  private DeleteAliasAction() {
    super(NAME, AcknowledgedResponse::new);
  }
}
