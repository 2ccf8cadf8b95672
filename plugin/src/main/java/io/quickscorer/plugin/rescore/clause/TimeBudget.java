// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.wire.WireRecord;

/**
 * How long a shard may take to rescore its window.
 *
 * @param millis from when the window is there; 0 is always too little
 * @param error whether a search that takes longer fails; else its hits keep their first-pass order
 */
public record TimeBudget(long millis, boolean error) implements WireRecord {
  public TimeBudget {
    if (millis < 0) {
      throw new IllegalArgumentException("[budget_ms] must be 0 or more, not " + millis);
    }
  }

  static boolean error(String onBudget) {
    return switch (onBudget) {
      case "first_pass" -> false;
      case "error" -> true;
      default ->
          throw new IllegalArgumentException(
              "[on_budget] must be first_pass or error, not [" + onBudget + "]");
    };
  }
}
