// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import java.util.Map;

/**
 * How to train.
 *
 * @param trees at most so many
 * @param patience training ends after so many trees that are no better on the validation rows
 * @param parameters of the trainer, which win over ours
 */
public record TrainingOptions(int trees, int patience, Map<String, String> parameters) {
  /** What the demo takes: a hundred trees, nothing else. */
  public static final TrainingOptions PLAIN = new TrainingOptions(100, 100, Map.of());

  public TrainingOptions {
    parameters = Map.copyOf(parameters);
  }
}
