// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import org.apache.lucene.search.IndexSearcher;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.test.OpenSearchTestCase;

public class FeatureFailureTests extends OpenSearchTestCase {
  public void testAQueryOfTooManyClausesIsTheFeaturesOwnFault() {
    RuntimeException named = FeatureFailure.of("tags", new IndexSearcher.TooManyClauses());
    assertTrue(named.toString(), named instanceof IllegalArgumentException);
    assertTrue(named.getMessage(), named.getMessage().startsWith("feature [tags]: "));
    TaskCancelledException cancelled = new TaskCancelledException("cancelled");
    assertSame(cancelled, FeatureFailure.of("tags", cancelled));
  }
}
