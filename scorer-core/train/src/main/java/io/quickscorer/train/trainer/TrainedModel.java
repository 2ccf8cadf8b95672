// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import java.util.List;

/**
 * A trained model.
 *
 * @param text the model as its trainer saves it
 * @param sample some training rows, missing as NaN
 * @param expected the trainer's own raw scores of the sample
 * @param curve how it learnt; {@link LearningCurve#NONE} without validation
 */
public record TrainedModel(
    String text, List<float[]> sample, double[] expected, LearningCurve curve) {
  public TrainedModel {
    sample = List.copyOf(sample);
  }
}
