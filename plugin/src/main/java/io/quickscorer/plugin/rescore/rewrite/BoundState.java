// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.rewrite;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import java.io.IOException;
import java.util.List;
import org.opensearch.index.query.QueryRewriteContext;

/**
 * The state of a clause that is bound to models' versions and parameters. Further rewrites change
 * its queries. On the node of a shard, the first rewrite loads the models, unless they are compiled
 * there.
 */
record BoundState(BoundClause bound) implements ClauseState {
  @Override
  public ClauseState rewrite(RequestedClause clause, QueryRewriteContext context)
      throws IOException {
    boolean onShard = context.convertToCoordinatorContext() == null;
    if (onShard && !ready(clause)) {
      LoadingState next = new LoadingState(bound);
      context.registerAsyncAction(
          (client, listener) ->
              Guard.run(
                  () -> "the clause",
                  () -> next.load(clause, client, Guard.listener(() -> "the clause", listener))));
      return next;
    }
    BoundClause rewritten = bound.rewrite(context);
    return same(rewritten, bound) ? this : new BoundState(rewritten);
  }

  private boolean ready(RequestedClause clause) {
    List<ModelId> models = bound.ids();
    ModelLookup lookup = clause.services().models();
    // With a global scope, a shard only computes features, so it needs no model.
    return models.isEmpty()
        || clause.options().isGlobal()
        || (clause.options().allUseOwnEngines() && models.stream().allMatch(lookup::isLoaded));
  }

  /** Returns whether two references are identical, which means that a rewrite changed nothing. */
  static boolean same(Object a, Object b) {
    return a == b;
  }
}
