// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A trained model.
 *
 * @param file the model as its trainer saves it
 * @param sample some training rows, missing as NaN
 * @param expected the trainer's own raw scores of the sample
 * @param toleranceUlp how many representable doubles the trainer's text of a score may be away from
 *     it
 * @param curve how it learnt; {@link LearningCurve#NONE} without validation
 */
public record TrainedModel(
    byte[] file, List<float[]> sample, double[] expected, long toleranceUlp, LearningCurve curve) {
  public TrainedModel {
    sample = List.copyOf(sample);
  }

  /** Makes a model of a trainer that saves text and gives its scores with all digits. */
  TrainedModel(String text, List<float[]> sample, double[] expected, LearningCurve curve) {
    this(text.getBytes(StandardCharsets.UTF_8), sample, expected, 0, curve);
  }

  /** A text file. */
  public String text() {
    return new String(file, StandardCharsets.UTF_8);
  }
}
