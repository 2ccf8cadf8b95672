// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.test.OpenSearchTestCase;

public class FailuresTests extends OpenSearchTestCase {
  public void testAPhaseThatFailsWithoutAShardHasAMessage() {
    Exception cause = new IllegalStateException("no results");
    Exception phase =
        new SearchPhaseExecutionException("fetch", "", cause, ShardSearchFailure.EMPTY_ARRAY);
    assertEquals("no results", Failures.message(phase));
    Exception alone =
        new SearchPhaseExecutionException("query", "failed", ShardSearchFailure.EMPTY_ARRAY);
    assertEquals("failed", Failures.message(alone));
  }

  public void testTheMessageIsThatOfTheFirstCause() {
    ShardSearchFailure shard = new ShardSearchFailure(new IllegalArgumentException("no field [x]"));
    Exception phase =
        new SearchPhaseExecutionException(
            "query", "all shards failed", new ShardSearchFailure[] {shard});
    assertEquals("no field [x]", Failures.message(phase));
  }
}
