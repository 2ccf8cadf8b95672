// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.routing.Murmur3HashFunction;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.util.CachedSupplier;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * The options of a search pipeline's processor that ranks searches by a model.
 *
 * @param clause the rescore clause (a model and its options) to add; its parameters are used if a
 *     search does not define them
 * @param windowSize the number of hits that the model ranks on each shard
 * @param params the parts of a search from which parameters are copied, by the parameter's name
 * @param traffic the searches to which the clause is added
 */
record RankingOptions(
    ClauseOptions clause, int windowSize, Map<String, ParamSource> params, Traffic traffic) {
  RankingOptions {
    params = Map.copyOf(params);
  }

  /**
   * Returns the clause's parameters for a search; null if the search lacks the source of a
   * parameter that has no default in the clause.
   *
   * @param budget charges the bytes of the search's body
   */
  @Nullable Map<String, Object> params(SearchSourceBuilder source, RequestBudget budget) {
    Map<String, Object> found = new LinkedHashMap<>(clause.params());
    Map<String, Object> brought = RequestExt.params(source);
    Supplier<Map<String, Object>> body =
        new CachedSupplier<>(() -> ParamSource.body(source, budget.memory()));
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

  /**
   * Selects the searches that a processor ranks.
   *
   * @param indices patterns of names of indices; an empty list includes all indices
   * @param share the fraction of the searches, above 0 and at most 1. A hash of {@link
   *     RunningSearch#key} selects the searches, so either all pages of a search are ranked, or
   *     none
   */
  record Traffic(List<String> indices, double share) {
    private static final double HASHES = 1L << Integer.SIZE;

    Traffic {
      indices = List.copyOf(indices);
    }

    /**
     * Returns whether each searched index matches one of the patterns; true if there are no
     * patterns.
     *
     * @param concrete the names of the searched indices
     */
    boolean includesIndices(Stream<String> concrete) {
      String[] patterns = indices.toArray(String[]::new);
      return indices.isEmpty() || concrete.allMatch(index -> Regex.simpleMatch(patterns, index));
    }

    boolean includesShare(SearchRequest request) {
      if (share == 1) {
        return true;
      }
      String key = RunningSearch.key(request);
      return Integer.toUnsignedLong(Murmur3HashFunction.hash(key)) / HASHES < share;
    }
  }
}
