// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;

/**
 * The failure of a search that is bound to a version which this cluster does not have: it was bound
 * by another cluster, or so long ago that the version is gone. No other version may score in its
 * stead, for then two would stand in one answer. It keeps its mark on the way through other nodes
 * and clusters.
 */
public final class ForeignVersion {
  private static final String MARK = "opensearch.quickscorer.bound_version";

  private ForeignVersion() {}

  /**
   * @param bound what the search is bound to
   * @param here what this cluster has under that name, or null
   * @param cluster this cluster's name
   */
  public static OpenSearchException failure(
      ModelId bound, @Nullable ModelManifest here, String cluster) {
    OpenSearchStatusException failure =
        new OpenSearchStatusException(
            "the search is bound to version [{}] of model [{}], of which cluster [{}] has {}; no"
                + " other version may score its hits",
            here == null ? RestStatus.NOT_FOUND : RestStatus.CONFLICT,
            bound.version(),
            FeatureBinding.shown(bound.name()),
            cluster,
            here == null ? "none" : "version [" + here.id().version() + "]");
    failure.addMetadata(MARK, bound.version());
    return failure;
  }

  /** Such a failure among the causes of another, or null. */
  public static @Nullable OpenSearchException among(@Nullable Throwable failure) {
    return failure == null
        ? null
        : (OpenSearchException)
            ExceptionsHelper.unwrapCausesAndSuppressed(
                    failure,
                    cause ->
                        cause instanceof OpenSearchException ours && ours.getMetadata(MARK) != null)
                .orElse(null);
  }
}
