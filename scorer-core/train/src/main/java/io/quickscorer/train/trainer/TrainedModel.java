// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A trained model.
 *
 * @param file the model's file as the trainer saves it
 * @param sample some training rows; missing values are NaN
 * @param expected the trainer's raw score of each row in {@code sample}
 * @param toleranceUlp maximum error of the expected scores, in units in the last place of doubles
 * @param curve the quality on the validation rows after each tree
 */
public record TrainedModel(
    byte[] file, List<float[]> sample, double[] expected, long toleranceUlp, LearningCurve curve) {
  public TrainedModel {
    sample = List.copyOf(sample);
  }

  /** Creates a model whose file is text. The expected scores are exact: the tolerance is 0. */
  TrainedModel(String text, List<float[]> sample, double[] expected, LearningCurve curve) {
    this(text.getBytes(StandardCharsets.UTF_8), sample, expected, 0, curve);
  }

  /** Returns the model's file as text. */
  public String text() {
    return new String(file, StandardCharsets.UTF_8);
  }
}
