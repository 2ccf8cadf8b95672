// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import io.quickscorer.train.data.FeatureRows;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A library that learns to rank. */
public interface Trainer {
  /** Describes the trainer and its objective. */
  String description();

  /** The name that its models' files have. */
  String file();

  /**
   * Checks before features are logged that training can begin.
   *
   * @throws IllegalStateException naming a feature whose name models cannot have, or the library's
   *     program if there is none
   */
  default void check(List<String> names) {}

  /**
   * Parameters by which the first use of a feature takes some of the gain that it brings.
   *
   * @param tradeoff factor of the costs
   * @param costs of the features in the rows' order, in units of a split's gain
   * @return empty if the library has none
   */
  default Map<String, String> costs(double tradeoff, List<Double> costs) {
    return Map.of();
  }

  /**
   * Trains.
   *
   * @param validation tells when to stop; null to grow all trees
   * @param names the features' names in the rows' order
   * @param sampleSize how many rows are scored by the library itself
   * @throws IllegalStateException if the library is not there, or refuses the data, a name or a
   *     parameter
   */
  TrainedModel train(
      FeatureRows rows,
      @Nullable FeatureRows validation,
      List<String> names,
      TrainingOptions options,
      int sampleSize);
}
