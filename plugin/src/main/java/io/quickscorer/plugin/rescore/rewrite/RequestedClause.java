// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.rewrite;

import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.ClauseTrace;
import io.quickscorer.plugin.rescore.clause.SearchNames;
import io.quickscorer.plugin.rescore.clause.StandingHits;
import io.quickscorer.plugin.rescore.shard.RescoreServices;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a clause that no rewrite changes. Immutable.
 *
 * @param options the options in the request
 * @param collected the minimum number of hits that a shard must collect; 0 if the server collects
 *     enough
 * @param trace records the binding for the response; only on the coordinating node
 * @param names the snapshot of models' names that the search's clauses share; null if there is none
 *     yet
 * @param standing hits of an earlier search, whose scores are the first-pass scores; null to rank
 *     the search's own hits
 * @param groupField the field whose values shards send with each hit; null for none
 * @param node returns the services of this node
 */
record RequestedClause(
    ClauseOptions options,
    int collected,
    @Nullable ClauseTrace trace,
    @Nullable SearchNames names,
    @Nullable StandingHits standing,
    @Nullable String groupField,
    Supplier<RescoreServices> node) {
  RescoreServices services() {
    return node.get();
  }
}
