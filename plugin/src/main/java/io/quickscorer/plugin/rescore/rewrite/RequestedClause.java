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
 * @param options of the request
 * @param collected hits that a shard must collect at least; 0 if the server collects enough
 * @param trace the data about the clause for the response; never leaves the coordinating node
 * @param names shared by the clauses of its search; null before they share them
 * @param standing hits of another search, whose scores are the first pass's; null for the search's
 *     own
 * @param groupField field whose values shards send with each hit; null for none
 * @param node gives access to the services of the present node
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
