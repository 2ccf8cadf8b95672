// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import java.util.List;

/**
 * A trained model.
 *
 * @param text the model as its trainer saves it
 * @param sample some training rows, missing as NaN
 * @param expected the trainer's own raw scores of the sample
 * @param curve NDCG@10 of the validation rows after each tree; empty without validation
 */
public record TrainedModel(
    String text, List<float[]> sample, double[] expected, List<Double> curve) {
  public TrainedModel {
    sample = List.copyOf(sample);
    curve = List.copyOf(curve);
  }

  /** The place of the greatest value of a curve, the first of several. */
  static int best(List<Double> curve) {
    int best = 0;
    for (int i = 1; i < curve.size(); i++) {
      if (curve.get(i) > curve.get(best)) {
        best = i;
      }
    }
    return best;
  }
}
