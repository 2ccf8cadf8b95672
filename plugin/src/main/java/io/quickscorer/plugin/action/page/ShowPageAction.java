// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.page;

import org.opensearch.action.ActionType;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;

/**
 * Permits the page to be shown. The page itself holds nothing of the cluster: what it shows it asks
 * for, each with the action that this takes.
 */
public final class ShowPageAction extends ActionType<AcknowledgedResponse> {
  public static final String NAME = "cluster:admin/quickscorer/ui/get";
  public static final ShowPageAction INSTANCE = new ShowPageAction();

  private ShowPageAction() {
    super(NAME, AcknowledgedResponse::new);
  }
}
