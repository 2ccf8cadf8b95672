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
 * @param toleranceUlp number of representable doubles by which the trainer's text of a score may
 *     differ from it
 * @param curve of the training; {@link LearningCurve#NONE} without validation
 */
public record TrainedModel(
    byte[] file, List<float[]> sample, double[] expected, long toleranceUlp, LearningCurve curve) {
  public TrainedModel {
    sample = List.copyOf(sample);
  }

  /** A model of a trainer that saves text and prints its scores with all digits. */
  TrainedModel(String text, List<float[]> sample, double[] expected, LearningCurve curve) {
    this(text.getBytes(StandardCharsets.UTF_8), sample, expected, 0, curve);
  }

  /** Returns the file as text. */
  public String text() {
    return new String(file, StandardCharsets.UTF_8);
  }
}
