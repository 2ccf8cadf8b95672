// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;

/**
 * Creates and recognises the failure of a search that uses a version of a model which this cluster
 * does not have. Either another cluster selected the version, or the version was replaced or
 * deleted meanwhile. The search must fail, because the current version would compute other scores
 * than the selected one. The failure is also recognised if it comes from another node or cluster.
 */
public final class ForeignVersion {
  private static final String MODEL = "opensearch.quickscorer.bound_model";
  private static final String VERSION = "opensearch.quickscorer.bound_version";

  private ForeignVersion() {}

  /**
   * Returns the failure of a search that uses a version which this cluster does not have.
   *
   * @param bound the version that the search uses
   * @param here the version of the model with this name in this cluster, or null if there is no
   *     such model
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

  /**
   * Returns the exception that {@link #failure} created, among a failure and its causes; null if
   * there is none.
   */
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

  /** Returns the version that the failed search uses. The failure must come from {@link #among}. */
  public static ModelId bound(OpenSearchException failure) {
    return new ModelId(
        failure.getMetadata(MODEL).getFirst(), failure.getMetadata(VERSION).getFirst());
  }
}
