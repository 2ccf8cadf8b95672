// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import java.util.List;

/**
 * The best iteration that early stopping recorded in a file: XGBoost's scikit-learn classes predict
 * with the trees up to it, its boosters and this library with all.
 */
final class XGBoostIterations {
  /** The attribute's name. */
  static final String BEST = "best_iteration";

  private String best = "";

  void best(String attribute) {
    best = attribute;
  }

  /**
   * Returns a note for the user; none if both predict the same.
   *
   * @param count number of iterations in the file
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
            "early stopping found iteration "
                + best
                + " best: scikit-learn classes such as XGBRanker predict with the first "
                + used
                + " of "
                + count
                + " iterations, but scores here use all, as Booster.predict does; to use theirs,"
                + " save the model by booster[:"
                + used
                + "].save_model(…)");
  }
}
