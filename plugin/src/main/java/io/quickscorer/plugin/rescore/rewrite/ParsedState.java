// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.rewrite;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.query.QueryRewriteContext;

/**
 * The state of a clause after parsing. The next rewrite pins the names to versions of models, and
 * fetches their features.
 */
record ParsedState() implements ClauseState {
  @Override
  public ClauseState rewrite(RequestedClause clause, QueryRewriteContext context) {
    PinningState next = new PinningState();
    context.registerAsyncAction(
        (client, listener) ->
            Guard.run(
                () -> "the clause",
                () ->
                    MaxWait.within(
                        clause,
                        client.threadPool(),
                        Guard.listener(() -> "the clause", listener),
                        bounded -> next.fetch(clause, bounded))));
    return next;
  }

  @Override
  public @Nullable BoundClause bound() {
    return null;
  }
}
