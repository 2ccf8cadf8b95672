// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import io.quickscorer.train.data.FeatureRows;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Trains ranking models with the library or program of one trainer. */
public interface Trainer {
  /**
   * How a trainer gets the positions of result-list hits, to learn how often users look at each
   * position.
   */
  enum Positions {
    /** The trainer cannot learn how often users look at each position. */
    NONE,
    /** The trainer gets the position of each row as data. */
    GIVEN,
    /** The trainer itself derives the positions: the index, from 1, of each row of a search. */
    COUNTED
  }

  /** Returns how this trainer gets the positions of hits when it trains on searches and clicks. */
  default Positions positions() {
    return Positions.NONE;
  }

  /** Returns the name of the trainer and of the objective that it optimises, for users. */
  String description();

  /** Returns the file name under which models of this trainer are saved. */
  String file();

  /**
   * Checks, before features are logged, that a training with these feature names is possible.
   *
   * @throws IllegalStateException if it is not possible
   */
  default void check(List<String> names) {}

  /**
   * Checks that the names of features contain no characters that a trainer refuses.
   *
   * @param refused returns whether the trainer refuses a character
   * @param reason the message after the name of the feature
   * @throws IllegalStateException if a name contains such a character
   */
  static void check(List<String> names, IntPredicate refused, String reason) {
    for (String name : names) {
      if (name.chars().anyMatch(refused)) {
        throw new IllegalStateException("feature [" + name + "]: " + reason);
      }
    }
  }

  /**
   * Returns parameters with which the trainer subtracts a feature's cost from the gain of the first
   * split that tests the feature.
   *
   * @param tradeoff the factor by which all costs are multiplied
   * @param costs the cost of each feature, in the order of a row's values; a cost has the unit of a
   *     split's gain
   * @return the parameters; empty if the trainer does not support costs
   */
  default Map<String, String> costs(double tradeoff, List<Double> costs) {
    return Map.of();
  }

  /**
   * Trains a model on rows of feature values.
   *
   * @param rows the training rows; they may have positions unless {@link #positions()} is {@link
   *     Positions#NONE}
   * @param validation the rows for early stopping; null to train the maximum number of trees
   * @param names the names of the features, in the order of a row's values
   * @param sampleSize number of rows to score with the trained model, for later comparisons
   * @throws IllegalStateException if the trainer's library is missing, or refuses rows or options
   */
  TrainedModel train(
      FeatureRows rows,
      @Nullable FeatureRows validation,
      List<String> names,
      TrainingOptions options,
      int sampleSize);
}
