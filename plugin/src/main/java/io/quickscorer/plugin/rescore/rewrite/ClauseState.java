// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.rewrite;

import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.index.query.QueryRewriteContext;

/**
 * The state of a clause between rewrites. On the coordinating node, the states are parsed, pinning
 * and bound; on a shard's node, bound and loading. Immutable, except that {@link PinningState}
 * receives features.
 */
sealed interface ClauseState extends Writeable
    permits ParsedState, PinningState, BoundState, LoadingState {
  /** Returns the state after one more rewrite, or this object if the state does not change. */
  ClauseState rewrite(RequestedClause clause, QueryRewriteContext context) throws IOException;

  /** Returns the bound clause that shards run; null before the coordinating node has bound it. */
  @Nullable BoundClause bound();

  @Override
  default void writeTo(StreamOutput out) throws IOException {
    out.writeOptionalWriteable(bound());
  }

  /** Reads a state from another node, which is parsed or bound. */
  static ClauseState read(StreamInput in) throws IOException {
    BoundClause bound = in.readOptionalWriteable(WireRecord.reader(BoundClause.class));
    return bound == null ? new ParsedState() : new BoundState(bound);
  }
}
