// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.model;

import org.opensearch.action.ActionType;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;

/** Deletes a model; searches that pinned it finish with it. */
public final class DeleteModelAction extends ActionType<AcknowledgedResponse> {
  public static final String NAME = "cluster:admin/quickscorer/model/delete";
  public static final DeleteModelAction INSTANCE = new DeleteModelAction();

  private DeleteModelAction() {
    super(NAME, AcknowledgedResponse::new);
  }
}
