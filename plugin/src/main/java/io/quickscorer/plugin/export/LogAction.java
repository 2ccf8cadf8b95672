// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import io.quickscorer.plugin.action.LocalAction;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;

/** Writes a piece of a training file. */
public final class LogAction {
  public static final LocalAction<Request, LogExport.Piece> INSTANCE =
      new LocalAction<>("cluster:admin/quickscorer/feature_set/log");

  private LogAction() {}

  /**
   * What to export, as its user wrote it, and which piece of that.
   *
   * @param from where the piece begins
   * @param maxBytes the piece ends after the search with which it is larger than this
   */
  public record Request(
      String featureSet,
      @Nullable MediaType type,
      BytesReference body,
      LogExport.Place from,
      long maxBytes)
      implements SearchingRequest {}
}
