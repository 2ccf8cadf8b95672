// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import io.quickscorer.train.data.FeatureRows;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A library that learns to rank. */
public interface Trainer {
  /** The ways in which trainers learn at which positions users look most. */
  enum Positions {
    /** The trainer cannot learn it. */
    NONE,
    /** The positions are values of the rows. */
    GIVEN,
    /** The trainer counts the rows of a search from 1. */
    COUNTED
  }

  /** Returns how the trainer learns from the positions of single searches. */
  default Positions positions() {
    return Positions.NONE;
  }

  /** Returns the trainer's name and objective. */
  String description();

  /** Returns the name of a model's file. */
  String file();

  /**
   * Checks before features are logged that training can begin.
   *
   * @throws IllegalStateException that names a feature with an invalid name, or the trainer's
   *     program if it is missing
   */
  default void check(List<String> names) {}

  /**
   * Returns parameters by which the first use of a feature reduces the gain of its split.
   *
   * @param tradeoff factor of the costs
   * @param costs of the features in the rows' order, in units of a split's gain
   * @return empty if the trainer has none
   */
  default Map<String, String> costs(double tradeoff, List<Double> costs) {
    return Map.of();
  }

  /**
   * Trains.
   *
   * @param rows with positions only if {@link #positions()} are not {@link Positions#NONE}
   * @param validation rows for early stopping; null to train all trees
   * @param names the features' names in the rows' order
   * @param sampleSize number of rows that the trainer itself scores
   * @throws IllegalStateException if the library is missing, or refuses the data, a name or a
   *     parameter
   */
  TrainedModel train(
      FeatureRows rows,
      @Nullable FeatureRows validation,
      List<String> names,
      TrainingOptions options,
      int sampleSize);
}
