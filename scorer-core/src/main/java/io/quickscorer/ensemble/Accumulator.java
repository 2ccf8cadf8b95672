// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * The arithmetic in which leaf values are summed, in tree order; a property of the trainer.
 *
 * <p>{@link #FLOAT} adds in double and rounds to float after each tree. For leaves that are floats
 * this is float addition to the bit (XGBoost), because a double holds the exact sum's rounding; for
 * double leaves it is what RankLib does.
 */
public enum Accumulator {
  DOUBLE,
  FLOAT;

  /** One step of the sum. */
  public double add(double sum, double leaf) {
    return this == DOUBLE ? sum + leaf : (float) (sum + leaf);
  }
}
