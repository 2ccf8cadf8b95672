// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import org.apache.lucene.search.IndexSearcher;
import org.opensearch.OpenSearchException;
import org.opensearch.script.ScriptException;

/** Names the feature whose values cannot be computed. */
final class FeatureFailure {
  private FeatureFailure() {}

  /**
   * Turns a failure of a feature's own, such as a script's, a field without the value that its
   * query needs, or a query that is rewritten to too many clauses, into one that names the feature
   * and is answered with 400. Others, such as cancellation or a lack of memory, are returned as
   * they are.
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
