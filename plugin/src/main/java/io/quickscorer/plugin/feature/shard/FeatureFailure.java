// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import org.apache.lucene.search.IndexSearcher;
import org.opensearch.OpenSearchException;
import org.opensearch.script.ScriptException;

/** Names the feature whose values cannot be computed. */
final class FeatureFailure {
  private FeatureFailure() {}

  /**
   * Returns a failure caused by a feature as one that names the feature and has status 400.
   * Examples are a script's failure, a field without the value that the query needs, or a query
   * that is rewritten to too many clauses. Other failures, such as cancellation or a lack of
   * memory, are returned unchanged.
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
