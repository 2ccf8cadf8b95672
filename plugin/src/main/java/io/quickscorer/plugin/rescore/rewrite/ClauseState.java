// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.rewrite;

import io.quickscorer.plugin.action.UseRights;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.Sequence;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseTrace;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder.RequestedClause;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.common.UUIDs;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.CountDown;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/**
 * The state of a clause (the object {@code quickscorer} under {@code rescore}) while the server
 * prepares ("rewrites") a search. On the coordinating node, it is {@link Parsed}, {@link Pinning},
 * then {@link Bound}; on a shard's node {@link Bound}, then {@link Loading}. Immutable, except
 * {@link Pinning}.
 */
sealed interface ClauseState extends Writeable {
  /**
   * Returns the clause's next state; this object if nothing changes. The server calls this method
   * until no clause of the search changes.
   */
  ClauseState rewrite(RequestedClause clause, QueryRewriteContext context) throws IOException;

  /** Returns the clause in the form that shards run; null before the state {@link Bound}. */
  default @Nullable BoundClause bound() {
    return null;
  }

  @Override
  default void writeTo(StreamOutput out) throws IOException {
    out.writeOptionalWriteable(bound());
  }

  /** Reads a state from another node, {@link Parsed} or {@link Bound}. */
  static ClauseState read(StreamInput in) throws IOException {
    BoundClause bound = in.readOptionalWriteable(WireRecord.reader(BoundClause.class));
    return bound == null ? new Parsed() : new Bound(bound);
  }

  /** A clause as it was parsed from the request. The next state is {@link Pinning}. */
  record Parsed() implements ClauseState {
    @Override
    public ClauseState rewrite(RequestedClause clause, QueryRewriteContext context) {
      Pinning next = new Pinning();
      async(
          context,
          (client, listener) ->
              within(
                  clause, client.threadPool(), listener, bounded -> next.fetch(clause, bounded)));
      return next;
    }
  }

  /**
   * A clause whose models' versions are determined, and whose features are being fetched. In the
   * next state, {@link Bound}, the features contain the request's parameters.
   */
  final class Pinning implements ClauseState {
    private volatile @Nullable FeatureGroups fetched;

    void fetch(RequestedClause clause, ActionListener<?> listener) {
      String featureSet = clause.options().featureSet();
      ActionListener<Void> permitted =
          ActionListener.wrap(yes -> fetchPermitted(clause, listener), listener::onFailure);
      UseRights rights = clause.services().rights();
      if (featureSet == null) {
        List<String> names = clause.options().allNames();
        rights.check(UseRights.Kind.MODEL, names, ModelsMetadata::missing, permitted);
      } else {
        rights.check(
            UseRights.Kind.FEATURE_SET, List.of(featureSet), FeatureSetStore::missing, permitted);
      }
    }

    private void fetchPermitted(RequestedClause clause, ActionListener<?> listener) {
      try {
        ModelLookup models = clause.services().models();
        FeatureGroups groups = new FeatureGroups();
        String featureSet = clause.options().featureSet();
        if (featureSet != null) {
          models.featureSet(
              featureSet,
              ActionListener.wrap(
                  set -> {
                    groups.addLogged(set);
                    arrived(groups, listener);
                  },
                  listener::onFailure));
          return;
        }
        // All names are looked up before the first asynchronous step, and so in one cluster state.
        ModelLookup.Names names = names(models, clause.names());
        Supplier<String> key = () -> key(clause);
        Map<String, ModelId> ids = new LinkedHashMap<>();
        for (String name : clause.options().allNames()) {
          ModelId id = names.pin(name, key);
          if (!id.name().equals(name)) {
            clause.services().stats().comparisons().drawn(name, id.name());
          }
          ids.put(name, id);
        }
        String logged = clause.options().log() ? ids.keySet().iterator().next() : "";
        Sequence.each(
            ids.entrySet().iterator(),
            (named, next) ->
                models.features(
                    named.getValue(),
                    ActionListener.map(
                        next,
                        features -> {
                          String name = named.getKey();
                          groups.add(named.getValue(), name, features, name.equals(logged));
                          return null;
                        })),
            ActionListener.wrap(all -> arrived(groups, listener), listener::onFailure));
      } catch (RuntimeException e) {
        listener.onFailure(e);
      }
    }

    /**
     * Returns the versions to which the names of models point.
     *
     * @param shared holds the versions for all clauses of a search, set by the first clause; null
     *     if each clause determines them itself
     */
    private static ModelLookup.Names names(
        ModelLookup models, @Nullable AtomicReference<ModelLookup.Names> shared) {
      ModelLookup.Names now = models.names();
      ModelLookup.Names before = shared == null ? null : shared.compareAndExchange(null, now);
      return before == null ? now : before;
    }

    private static String key(RequestedClause clause) {
      String own = clause.options().names().shareKey();
      ClauseTrace trace = clause.trace();
      return own != null ? own : trace == null ? "" : trace.key();
    }

    private void arrived(FeatureGroups groups, ActionListener<?> listener) {
      fetched = groups;
      listener.onResponse(null);
    }

    @Override
    public ClauseState rewrite(RequestedClause clause, QueryRewriteContext context) {
      FeatureGroups groups = fetched;
      return groups == null ? this : new Bound(bind(clause, groups, context));
    }

    private static BoundClause bind(
        RequestedClause clause, FeatureGroups groups, QueryRewriteContext context) {
      long start = System.nanoTime();
      ClauseTrace trace = clause.trace();
      BoundClause bound;
      if (trace == null) {
        try (RequestBudget budget = clause.services().memory().budget()) {
          bound = bind(clause, groups, context, budget);
        }
      } else {
        bound = bind(clause, groups, context, trace.budget());
      }
      long nanos = System.nanoTime() - start;
      clause.services().stats().bound(bound.ids(), nanos);
      if (trace != null) {
        trace.bound(bound, nanos);
      }
      return bound;
    }

    private static BoundClause bind(
        RequestedClause clause,
        FeatureGroups groups,
        QueryRewriteContext context,
        RequestBudget budget) {
      String nonce = clause.options().shows() ? UUIDs.randomBase64UUID() : null;
      return groups.bind(clause.options(), context.getXContentRegistry(), nonce, budget);
    }

    @Override
    public void writeTo(StreamOutput out) {
      throw new IllegalStateException(
          "internal error: ["
              + EnsembleRescorerBuilder.NAME
              + "] was sent before it was bound to its models; report this as a bug");
    }
  }

  /**
   * A clause with the versions of models, and with features that contain the request's parameters.
   * The server rewrites the features' queries. On a shard's node, the next state is {@link Loading}
   * if models must be loaded.
   */
  record Bound(BoundClause bound) implements ClauseState {
    @Override
    @SuppressWarnings("ReferenceEquality") // a rewrite that changes nothing returns its own object
    public ClauseState rewrite(RequestedClause clause, QueryRewriteContext context)
        throws IOException {
      boolean onShard = context.convertToCoordinatorContext() == null;
      if (onShard && !ready(clause)) {
        Loading next = new Loading(bound);
        async(context, (client, listener) -> next.load(clause, client, listener));
        return next;
      }
      BoundClause rewritten = bound.rewrite(context);
      return rewritten == bound ? this : new Bound(rewritten);
    }

    private boolean ready(RequestedClause clause) {
      List<ModelId> models = bound.ids();
      ModelLookup lookup = clause.services().models();
      // With a global scope, a shard needs no model. It uses one only if it is loaded.
      return models.isEmpty()
          || clause.options().isGlobal()
          || (clause.options().allUseOwnEngines() && models.stream().allMatch(lookup::isLoaded));
    }
  }

  /** A clause on a shard's node while its models are being loaded and compiled. */
  record Loading(BoundClause bound) implements ClauseState {
    /**
     * Loads the clause's models on this node, compiles them for the engine (algorithm) that the
     * clause names, and then calls the listener.
     */
    void load(RequestedClause clause, Client client, ActionListener<?> listener) {
      within(clause, client.threadPool(), listener, bounded -> loadAll(clause, client, bounded));
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

    /** Compiles the models for the engine that the clause names. Does not use a search thread. */
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
                    for (BoundClause.Stage stage : BoundClause.Stage.of(clause.options(), bound)) {
                      prepare(clause, stage);
                    }
                  }));
    }

    private static void prepare(RequestedClause clause, BoundClause.Stage stage) {
      for (ModelId model : stage.bound().ids()) {
        try (ModelLookup.ModelUse use = clause.services().models().acquire(model)) {
          clause.services().engines().prepare(use.model(), stage.options());
        }
      }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a rewrite that changes nothing returns its own object
    public ClauseState rewrite(RequestedClause clause, QueryRewriteContext context)
        throws IOException {
      BoundClause rewritten = bound.rewrite(context);
      return rewritten == bound ? this : new Loading(rewritten);
    }
  }

  private static void async(
      QueryRewriteContext context, BiConsumer<Client, ActionListener<?>> step) {
    context.registerAsyncAction(
        (client, listener) ->
            Guard.run(
                () -> "the clause",
                () -> step.accept(client, Guard.listener(() -> "the clause", listener))));
  }

  /**
   * Runs code that may wait for models. If the code takes longer than {@code max_wait}, the
   * listener gets a failure (503).
   *
   * @param step the code; must call its argument when it ends
   */
  static <R> void within(
      RequestedClause clause,
      ThreadPool threadPool,
      ActionListener<R> listener,
      Consumer<ActionListener<R>> step) {
    TimeValue max = clause.options().maxWait();
    if (max == null) {
      step.accept(listener);
      return;
    }
    AtomicBoolean answered = new AtomicBoolean();
    ActionListener<R> once =
        ActionListener.notifyOnce(
            ActionListener.runBefore(
                ContextPreservingActionListener.wrapPreservingContext(
                    listener, threadPool.getThreadContext()),
                () -> answered.set(true)));
    step.accept(once);
    if (!answered.get()) {
      Guard.schedule(threadPool, () -> once.onFailure(timedOut(clause, max)), max);
    }
  }

  private static OpenSearchStatusException timedOut(RequestedClause clause, TimeValue max) {
    return new OpenSearchStatusException(
        "the clause's models {} were not loaded within [max_wait] {}",
        RestStatus.SERVICE_UNAVAILABLE,
        clause.options().allNames(),
        max);
  }
}
