// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.input.IntList;

/**
 * Builds XGBoost's linear booster, which has one weight per feature and a bias. The sum starts at
 * the bias plus the base margin (the raw form of the base score). Then the terms of the features
 * that are not missing are added in order. All numbers are floats.
 */
final class XGBoostLinear {
  private XGBoostLinear() {}

  /**
   * Returns the linear model of a booster.
   *
   * @param ensemble a builder whose features, accumulator and transform are set
   * @param weights the bits of the weights: for each feature, and then for the bias, one float per
   *     output
   * @param margin the raw score with which the sum starts
   */
  static TreeEnsemble build(
      TreeEnsemble.Builder ensemble,
      IntList weights,
      int features,
      XGBoostOutputs outputs,
      float margin,
      long offset) {
    int count = outputs.count();
    if (weights.size() != count * (features + 1L)) {
      throw InvalidModelException.at(
          offset,
          "weights: found "
              + weights.size()
              + ", expected "
              + count * (features + 1L)
              + " (for each output, one per feature and one bias)");
    }
    int[] indices = new int[features];
    double[] values = new double[features];
    for (int f = 0; f < features; f++) {
      indices[f] = f;
      values[f] = Float.intBitsToFloat(weights.get(f * count + outputs.chosen()));
    }
    float bias = Float.intBitsToFloat(weights.get(features * count + outputs.chosen()));
    return ensemble.linear(LinearTerms.of(indices, values)).initialScore(bias + margin).build();
  }
}
