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
 * Runs searches that log a feature set's values for their hits, and reads these values from the
 * response.
 *
 * @param services returns the node's services for rescoring
 */
public record LoggedHits(Supplier<RescoreServices> services) {
  /**
   * Returns a memory budget for a request that runs searches to log features. The caller must close
   * it.
   */
  public RequestBudget budget() {
    return services.get().memory().budget();
  }

  /**
   * Reads the definition of a feature set, and passes it to the listener. The listener gets a
   * failure if the set does not exist.
   */
  public void featureSet(String name, ActionListener<FeatureSet> listener) {
    services.get().models().featureSet(name, listener);
  }

  /**
   * Returns a clause for a search that adds the feature values of hits to the response, and does
   * not change the ranking.
   *
   * @param window the number of best hits whose features are logged
   */
  public RescorerBuilder<?> clause(
      String featureSet, Map<String, Object> params, Scope scope, int window) {
    return new EnsembleRescorerBuilder(ClauseOptions.logging(featureSet, params, scope), services)
        .windowSize(window);
  }

  /** Returns the names of the logged features, in the order of their values. */
  public static List<String> names(SearchResponse answer) {
    RescoreExt ext = SearchResponses.ext(answer);
    if (ext == null) {
      throw new IllegalStateException("the response has no names of features");
    }
    return ext.featureNames();
  }

  /** Returns the logged feature values of a hit; NaN for a missing value. */
  public static float[] values(SearchHit hit) {
    DocumentField field = hit.field(ShownHits.FIELD);
    if (field == null
        || !(field.getValues().getLast() instanceof Map<?, ?> shown)
        || !(shown.get(ShownHits.FEATURES) instanceof ShownHits.FeatureValues features)) {
      throw new IllegalStateException("a hit has no logged features");
    }
    return features.values();
  }
}
