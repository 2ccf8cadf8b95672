// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.rewrite;

import io.quickscorer.plugin.action.UseRights;
import io.quickscorer.plugin.guard.Sequence;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseTrace;
import io.quickscorer.plugin.rescore.clause.FeatureGroups;
import io.quickscorer.plugin.rescore.clause.SearchNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.UUIDs;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.index.query.QueryRewriteContext;

/**
 * The state of a clause whose names are pinned to versions of models, and whose features are being
 * fetched. The next rewrite binds the features to the request's parameters. Two instances are equal
 * only if they are identical.
 */
final class PinningState implements ClauseState {
  private volatile @Nullable FeatureGroups fetched;

  void fetch(RequestedClause clause, ActionListener<?> listener) {
    String featureSet = clause.options().featureSet();
    ActionListener<Void> permitted =
        ActionListener.wrap(yes -> fetchPermitted(clause, listener), listener::onFailure);
    UseRights rights = clause.services().rights();
    if (featureSet == null) {
      List<String> names = clause.options().allNames();
      rights.check(UseRights.Kind.MODEL, names, ModelService::missing, permitted);
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
      // All names are pinned before the first asynchronous step, so that all of them are read from
      // one cluster state.
      SearchNames shared = clause.names();
      ModelLookup.Names names = shared == null ? models.names() : shared.in(models);
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
    return groups == null ? this : new BoundState(bind(clause, groups, context));
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
  public @Nullable BoundClause bound() {
    return null;
  }

  @Override
  public void writeTo(StreamOutput out) {
    throw new IllegalStateException(
        "internal error: ["
            + EnsembleRescorerBuilder.NAME
            + "] was sent before it was bound; report this as a bug");
  }
}
