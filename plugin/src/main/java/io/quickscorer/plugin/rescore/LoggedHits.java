// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.Scope;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import io.quickscorer.plugin.rescore.shard.RescoreServices;
import io.quickscorer.plugin.rescore.shard.ShownHits;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.action.ActionListener;
import org.opensearch.search.SearchHit;
import org.opensearch.search.rescore.RescorerBuilder;

/**
 * Adds the features of a set to the hits of searches, for exports of training data.
 *
 * @param services returns the node's services for rescoring
 */
public record LoggedHits(Supplier<RescoreServices> services) {
  /** Returns a memory budget for one request that logs feature values. The caller must close it. */
  public RequestBudget budget() {
    return services.get().memory().budget();
  }

  /**
   * Passes the definition of a feature set to the listener; a failure if the set does not exist.
   */
  public void featureSet(String name, ActionListener<FeatureSet> listener) {
    services.get().models().featureSet(name, listener);
  }

  /**
   * Returns a clause that adds the values of features to hits, and does not change their order.
   *
   * @param window the number of best hits whose features are added
   */
  public RescorerBuilder<?> clause(
      String featureSet, Map<String, Object> params, Scope scope, int window) {
    return new EnsembleRescorerBuilder(ClauseOptions.logging(featureSet, params, scope), services)
        .windowSize(window);
  }

  /** Returns the names of the features in a response, in the order of their {@link #values}. */
  public static List<String> names(SearchResponse answer) {
    RescoreExt ext = SearchResponses.ext(answer);
    if (ext == null) {
      throw new IllegalStateException(
          "internal error: the search response contains no feature names to log; report this as a"
              + " bug");
    }
    return ext.featureNames();
  }

  /** Returns the values of a hit's features; NaN for a missing value. */
  public static float[] values(SearchHit hit) {
    DocumentField field = hit.field(ShownHits.FIELD);
    if (field == null
        || !(field.getValues().getLast() instanceof Map<?, ?> shown)
        || !(shown.get(ShownHits.FEATURES) instanceof ShownHits.FeatureValues features)) {
      throw new IllegalStateException(
          "internal error: hit ["
              + hit.getId()
              + "] has no logged feature values; report this as a bug");
    }
    return features.values();
  }
}
