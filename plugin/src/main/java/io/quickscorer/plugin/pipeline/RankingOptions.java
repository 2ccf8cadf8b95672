// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.pipeline;

import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import java.util.Map;

/**
 * What a processor does.
 *
 * @param clause is put in; its params are those of searches that have no others
 * @param windowSize hits rescored per shard
 * @param params where else params are taken from, by name
 * @param traffic which searches get the clause
 */
record RankingOptions(
    ClauseOptions clause, int windowSize, Map<String, ParamSource> params, Traffic traffic) {
  RankingOptions {
    params = Map.copyOf(params);
  }
}
