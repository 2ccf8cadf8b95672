// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.rewrite;

import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseStage;
import java.io.IOException;
import java.util.List;
import org.opensearch.action.ActionRunnable;
import org.opensearch.common.util.concurrent.CountDown;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.transport.client.Client;

/** The state of a bound clause on a shard's node while its models are being loaded. */
record LoadingState(BoundClause bound) implements ClauseState {
  /**
   * Loads all models on this node; then calls the listener. They are then compiled for the engines
   * that the clause names.
   */
  void load(RequestedClause clause, Client client, ActionListener<?> listener) {
    MaxWait.within(
        clause, client.threadPool(), listener, bounded -> loadAll(clause, client, bounded));
  }

  private void loadAll(RequestedClause clause, Client client, ActionListener<?> listener) {
    List<ModelId> models = bound.ids();
    if (models.isEmpty()) {
      // A clause that only logs a feature set has no models to load.
      compile(clause, client, listener);
      return;
    }
    ActionListener<?> once = ActionListener.notifyOnce(listener);
    CountDown missing = new CountDown(models.size());
    ActionListener<Void> each =
        ActionListener.wrap(
            loaded -> {
              if (missing.countDown()) {
                compile(clause, client, once);
              }
            },
            once::onFailure);
    models.forEach(model -> clause.services().models().load(model, each));
  }

  /**
   * Compiles the models for the engines that the request names. Runs on a thread that runs no
   * searches.
   */
  private void compile(RequestedClause clause, Client client, ActionListener<?> listener) {
    if (clause.options().allUseOwnEngines()) {
      listener.onResponse(null);
      return;
    }
    WorkPool.ENGINES
        .of(client.threadPool())
        .execute(
            ActionRunnable.run(
                listener,
                () -> {
                  for (ClauseStage stage : ClauseStage.of(clause.options(), bound)) {
                    prepare(clause, stage);
                  }
                }));
  }

  private static void prepare(RequestedClause clause, ClauseStage stage) {
    for (ModelId model : stage.bound().ids()) {
      try (ModelLookup.ModelUse use = clause.services().models().acquire(model)) {
        clause.services().engines().prepare(use.model(), stage.options());
      }
    }
  }

  @Override
  public ClauseState rewrite(RequestedClause clause, QueryRewriteContext context)
      throws IOException {
    BoundClause rewritten = bound.rewrite(context);
    return BoundState.same(rewritten, bound) ? this : new LoadingState(rewritten);
  }
}
