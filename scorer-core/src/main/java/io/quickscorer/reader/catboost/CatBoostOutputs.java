// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.reader.common.Outputs;

/**
 * The outputs of a CatBoost model (classes or targets). Each leaf has one value per output, one
 * after the other, and there is one bias per output.
 */
final class CatBoostOutputs extends Outputs {
  private boolean known;

  CatBoostOutputs(ReadOptions options) {
    super(options);
  }

  /**
   * Sets the number of outputs, or checks that it is equal to the number in an earlier call.
   *
   * @param found the number of outputs in a part of the file, 1 or more
   * @throws InvalidModelException if an earlier call had another number, if there are several
   *     outputs and none was requested, or if the requested output does not exist
   */
  void found(int found, long offset) {
    if (!known) {
      choose(found, found + " values per leaf", offset);
      known = true;
    } else if (count() != found) {
      throw InvalidModelException.at(
          offset, "found " + found + " outputs, expected " + count() + " as in the previous trees");
    }
  }

  /** Returns the values of the scored output, given the values of all outputs. */
  double[] of(double[] values) {
    double[] own = new double[values.length / count()];
    for (int i = 0; i < own.length; i++) {
      own[i] = values[i * count() + chosen()];
    }
    return own;
  }
}
