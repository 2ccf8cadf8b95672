// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;

/**
 * The failure of a search that uses a model version which this cluster does not have. Another
 * cluster selected the version, or it was replaced or deleted meanwhile. Another version must not
 * score instead, because the response would then mix two versions. The failure is recognised even
 * if another node or cluster has sent it.
 */
public final class ForeignVersion {
  private static final String MODEL = "opensearch.quickscorer.bound_model";
  private static final String VERSION = "opensearch.quickscorer.bound_version";

  private ForeignVersion() {}

  /**
   * Returns the failure of a search that uses a version which this cluster does not have.
   *
   * @param bound the version that the search uses
   * @param here the version that this cluster has under that name, or null
   * @param cluster the name of this cluster
   */
  public static OpenSearchStatusException failure(
      ModelId bound, @Nullable ModelManifest here, String cluster) {
    OpenSearchStatusException failure =
        new OpenSearchStatusException(
            "the search uses version [{}] of model [{}], but cluster [{}] has {}; the"
                + " clusters of a search must have the same version",
            here == null ? RestStatus.NOT_FOUND : RestStatus.CONFLICT,
            bound.version(),
            FeatureBinding.shown(bound.name()),
            cluster,
            here == null ? "none" : "version [" + here.id().version() + "]");
    failure.addMetadata(MODEL, bound.name());
    failure.addMetadata(VERSION, bound.version());
    return failure;
  }

  /** Returns the exception of {@link #failure} among a failure's causes, or null. */
  public static @Nullable OpenSearchException among(@Nullable Throwable failure) {
    return failure == null
        ? null
        : (OpenSearchException)
            ExceptionsHelper.unwrapCausesAndSuppressed(
                    failure,
                    cause ->
                        cause instanceof OpenSearchException ours
                            && ours.getMetadata(VERSION) != null)
                .orElse(null);
  }

  /** Returns the version that a search uses, from the result of {@link #among}. */
  public static ModelId bound(OpenSearchException failure) {
    return new ModelId(
        failure.getMetadata(MODEL).getFirst(), failure.getMetadata(VERSION).getFirst());
  }
}
