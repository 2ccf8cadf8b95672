// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.rewrite;

import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.index.query.QueryRewriteContext;

/**
 * How far a clause has come. On the coordinating node: parsed, pinning, bound; on a shard's node:
 * bound, loading. Immutable, but that {@link PinningState} waits for an answer.
 */
sealed interface ClauseState extends Writeable
    permits ParsedState, PinningState, BoundState, LoadingState {
  /** Returns the state after one more rewrite, or this object if nothing changes. */
  ClauseState rewrite(RequestedClause clause, QueryRewriteContext context) throws IOException;

  /** Returns the clause that shards run; null before the coordinating node has bound it. */
  @Nullable BoundClause bound();

  /** Reads a state, parsed or bound as it was sent. */
  static ClauseState read(StreamInput in) throws IOException {
    BoundClause bound = in.readOptionalWriteable(WireRecord.reader(BoundClause.class));
    return bound == null ? new ParsedState() : new BoundState(bound);
  }
}
