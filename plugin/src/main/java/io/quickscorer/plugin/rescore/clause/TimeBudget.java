// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.wire.WireRecord;

/**
 * The time limit for ranking hits by models on one shard.
 *
 * @param millis the maximum time in milliseconds, without the search's own query; 0 is always
 *     exceeded
 * @param error whether a search that takes longer fails; otherwise its hits keep the order of the
 *     search's own query
 */
public record TimeBudget(long millis, boolean error) implements WireRecord {
  public TimeBudget {
    if (millis < 0) {
      throw new IllegalArgumentException("[budget_ms] must be 0 or more, not " + millis);
    }
  }
}
