// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.input.IntList;

/**
 * XGBoost's linear booster: one weight per feature, then the bias. The sum starts at bias plus base
 * margin and adds the present features in index order, all in float.
 */
final class XGBoostLinear {
  private XGBoostLinear() {}

  /**
   * @param ensemble has the features, accumulator and transform
   * @param weights bits of floats: for each feature, then for the bias, one per output
   * @param offset where the weights are, for messages
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
          "weights: "
              + weights.size()
              + ", expected "
              + count * (features + 1L)
              + ", for each output one per feature and a bias");
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
