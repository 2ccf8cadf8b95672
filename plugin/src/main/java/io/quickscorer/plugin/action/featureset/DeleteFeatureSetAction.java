// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.featureset;

import org.opensearch.action.ActionType;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;

/** Deletes a feature set; models keep the copies inside them. */
public final class DeleteFeatureSetAction extends ActionType<AcknowledgedResponse> {
  public static final String NAME = "cluster:admin/quickscorer/feature_set/delete";
  public static final DeleteFeatureSetAction INSTANCE = new DeleteFeatureSetAction();

  private DeleteFeatureSetAction() {
    super(NAME, AcknowledgedResponse::new);
  }
}
