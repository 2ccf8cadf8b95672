// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Takes steps out of a plan as long as it still fails. */
final class Shrinker {
  private final Predicate<Plan> fails;
  private final BooleanSupplier enough;

  /**
   * @param fails whether a plan fails
   * @param enough whether to be content with what has been reached
   */
  Shrinker(Predicate<Plan> fails, BooleanSupplier enough) {
    this.fails = fails;
    this.enough = enough;
  }

  /** A plan that fails, from which no single step can be taken unless time was short. */
  Plan shrink(Plan failing) {
    Plan least = failing;
    int size = Math.max(1, least.steps().size() / 2);
    while (!enough.getAsBoolean()) {
      boolean shrunk = false;
      for (int from = 0; from < least.steps().size() && !enough.getAsBoolean(); ) {
        List<Step> fewer = new ArrayList<>(least.steps());
        fewer.subList(from, Math.min(from + size, fewer.size())).clear();
        Plan smaller = least.with(fewer);
        if (fails.test(smaller)) {
          least = smaller;
          shrunk = true;
        } else {
          from += size;
        }
      }
      if (size == 1 && !shrunk) {
        break;
      }
      size = Math.max(1, size / 2);
    }
    return least;
  }
}
