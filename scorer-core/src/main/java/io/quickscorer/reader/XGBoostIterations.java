// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import java.util.List;

/**
 * The best iteration, which early stopping records in a file. XGBoost's scikit-learn classes
 * predict with the trees up to this iteration; its boosters, and this library, use all trees.
 */
final class XGBoostIterations {
  /** The name of the attribute in which XGBoost stores the best iteration. */
  static final String BEST = "best_iteration";

  private String best = "";

  void best(String attribute) {
    best = attribute;
  }

  /**
   * Returns a list with a note for the user if the file contains iterations after the best one;
   * otherwise an empty list.
   *
   * @param count the number of iterations in the file
   */
  List<String> notes(int count) {
    int used;
    try {
      used = Math.addExact(Integer.parseInt(best), 1);
    } catch (NumberFormatException | ArithmeticException e) {
      return List.of();
    }
    return used < 1 || used >= count
        ? List.of()
        : List.of(
            "according to early stopping, iteration "
                + best
                + " is the best: scikit-learn classes such as XGBRanker predict with the first "
                + used
                + " of "
                + count
                + " iterations, but scores here use all, as Booster.predict does; for their"
                + " predictions, save the model by booster[:"
                + used
                + "].save_model(…)");
  }
}
