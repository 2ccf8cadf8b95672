// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import io.quickscorer.train.data.FeatureRows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A library that learns to rank. */
public interface Trainer {
  /** What it is and optimises. */
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
