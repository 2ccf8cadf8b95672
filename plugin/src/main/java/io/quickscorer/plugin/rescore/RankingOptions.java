// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.RequestExt;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * The options of a processor in a search pipeline.
 *
 * @param clause the clause to add; its parameters are used if a search has none of its own
 * @param windowSize the number of hits that are rescored on each shard
 * @param params the sources of the clause's parameters in a search, by the parameter's name
 * @param traffic the searches that get the clause
 */
record RankingOptions(
    ClauseOptions clause, int windowSize, Map<String, ParamSource> params, Traffic traffic) {
  RankingOptions {
    params = Map.copyOf(params);
  }

  /**
   * Returns the clause's parameters for a search, or null if the search lacks a parameter that the
   * clause needs.
   *
   * @param budget the memory budget, which is charged for the search's body
   */
  @Nullable Map<String, Object> params(SearchSourceBuilder source, RequestBudget budget) {
    Map<String, Object> found = new LinkedHashMap<>(clause.params());
    Map<String, Object> brought = RequestExt.params(source);
    SearchBody body = new SearchBody(source, budget);
    for (Map.Entry<String, ParamSource> wanted : params.entrySet()) {
      String name = wanted.getKey();
      if (brought.containsKey(name)) {
        continue;
      }
      Object value = wanted.getValue().find(body);
      if (value != null) {
        found.put(name, value);
      } else if (!found.containsKey(name)) {
        return null;
      }
    }
    found.putAll(brought);
    return found;
  }
}
