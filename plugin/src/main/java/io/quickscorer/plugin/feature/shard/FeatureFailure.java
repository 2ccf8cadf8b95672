// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import org.apache.lucene.search.IndexSearcher;
import org.opensearch.OpenSearchException;
import org.opensearch.script.ScriptException;

/** Adds a feature's name to the exception with which the computation of the feature failed. */
final class FeatureFailure {
  private FeatureFailure() {}

  /**
   * Returns an exception (400) that names the feature, if its definition, its script or the request
   * caused the failure. Other failures, such as a cancellation, are returned unchanged.
   */
  public static RuntimeException of(String feature, RuntimeException failure) {
    return failure instanceof IllegalArgumentException
            || failure instanceof ScriptException
            || failure instanceof IndexSearcher.TooManyClauses
            || failure.getClass() == OpenSearchException.class
        ? new IllegalArgumentException(
            "feature [" + feature + "]: " + failure.getMessage(), failure)
        : failure;
  }
}
